import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** How much JavaScript the dashboard loads, measured on the built files; without a build the test fails. */

/** With the bell, which every page shows. */
const firstRoute = 210_000
const laterRoute = 90_000
/** Each file is a request, and a browser sends six at a time. */
const filesOfPage = 35
/** CodeMirror, with PostgreSQL's words: only on the SQL page, and after the page is there. */
const editor = { name: 'console/editor/code-editor.tsx', limit: 160_000 }

interface Chunk {
  file: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
}

const dist = new URL('./dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<
  string,
  Chunk
>

function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const imported of manifest[name]?.imports ?? []) closure(imported, seen)
  return seen
}

function filesOf(names: Iterable<string>): Set<string> {
  return new Set([...names].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js')))
}

function size(names: Iterable<string>): number {
  return [...filesOf(names)].reduce(
    (sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length,
    0,
  )
}

const [entry] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
assert.ok(entry, 'the built dashboard has an entry')
const shell = closure(entry)
const lazy = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry)

test('the first route stays within its budget', (context) => {
  const home = lazy.find((name) => name.endsWith('home-page.tsx'))
  assert.ok(home, 'the home page is a chunk of its own')
  const total = size(shell.union(closure(home)))
  context.diagnostic(`first route: ${(total / 1000).toFixed(1)} of ${firstRoute / 1000} kB gzip`)
  assert.ok(total <= firstRoute, `the first route loads ${total} bytes`)
})

test('every chunk that is loaded later stays within its budget', (context) => {
  assert.ok(lazy.length >= 5, 'pages are loaded when they are opened')
  for (const name of lazy) {
    const total = size(closure(name).difference(shell))
    context.diagnostic(`${name}: ${(total / 1000).toFixed(1)} kB gzip`)
    const limit = name.endsWith(editor.name) ? editor.limit : laterRoute
    assert.ok(total <= limit, `${name} loads ${total} bytes`)
  }
})

test('every page comes in few files', (context) => {
  const counts = lazy.map((name) => ({ name, files: filesOf(shell.union(closure(name))).size }))
  const most = counts.toSorted((a, b) => b.files - a.files)[0]
  context.diagnostic(`the most files: ${most?.files} of ${filesOfPage}, for ${most?.name}`)
  assert.deepEqual(
    counts.filter(({ files }) => files > filesOfPage),
    [],
  )
})
