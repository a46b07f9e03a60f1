import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { blocksOf } from './documents/blocks.ts'
import { clientRuns, settingsFiles } from './documents/clients.ts'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

/** Targets of links to files, without the place on the page. */
function linkedFiles(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target))
}

test('every link of the documentation leads to a file', () => {
  assert.ok(pages.length > 50, `${pages.length} pages`)
  const broken = pages.flatMap((page) =>
    linkedFiles(page)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${page}: ${file}`),
  )
  assert.deepEqual(broken, [])
})

test('the index of the documentation has every page', () => {
  const listed = new Set(linkedFiles('docs/README.md'))
  const guides = globSync('docs/{,clients/}*.md', { cwd: root }).filter((page) => page !== 'docs/README.md')
  assert.deepEqual(
    guides.filter((page) => !listed.has(page)),
    [],
  )
})

const clientPages = globSync('docs/clients/*.md', { cwd: root }).filter((page) => !page.endsWith('README.md'))

test('every page of a client has one form and a block that a test runs', () => {
  assert.ok(clientPages.length > 12)
  const headings = ['## Install', '## Set up', '## Check it', '## Differences']
  for (const page of clientPages) {
    assert.deepEqual(readFileSync(join(root, page), 'utf8').match(/^## .*$/gm), headings, page)
    const marked = blocksOf(page).flatMap(({ file }) => file ?? [])
    const runs = clientRuns.filter((run) => `docs/clients/${run.page}` === page).map(({ file }) => file)
    assert.ok(runs.length > 0, page)
    assert.deepEqual(
      marked.filter((file) => !(file in settingsFiles)),
      runs,
      page,
    )
  }
})

test('the list of clients names each page, and the command that runs it', () => {
  const list = readFileSync(join(root, 'docs/clients/README.md'), 'utf8')
  for (const page of clientPages) {
    const name = page.replace('docs/clients/', '')
    const row = list.split('\n').find((line) => line.includes(`](${name})`)) ?? ''
    const commands = clientRuns.filter((run) => run.page === name).map(({ runBy }) => `\`${runBy}\``)
    assert.deepEqual([...row.matchAll(/`npm [^`]+`/g)].map(String), [...new Set(commands)], name)
  }
})
