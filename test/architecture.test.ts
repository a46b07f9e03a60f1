import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** What each folder under src/ may import besides itself. A feature that is not here may import nothing. */
const may: Record<string, readonly string[]> = {
  kernel: [],
  access: ['kernel'],
  vault: ['kernel'],
  gateway: ['kernel', 'vault'],
  usage: ['kernel', 'gateway'],
  embeddings: ['kernel'],
  cli: ['kernel', 'access', 'vault', 'usage', 'embeddings', 'main'],
}

/** Within the kernel: lower layers know nothing of those above. */
const kernelMay: Record<string, readonly string[]> = {
  decimal: [],
  errors: [],
  log: [],
  config: ['errors', 'log'],
  datadir: ['errors', 'log'],
  auth: ['errors'],
  events: ['log'],
  metrics: [],
  search: [],
  db: ['config', 'datadir', 'errors', 'log'],
  jobs: ['db', 'errors', 'log'],
  http: ['auth', 'config', 'db', 'errors', 'log', 'metrics'],
}

// Tests and what only they use may reach further.
const files = globSync('src/*/**/*.ts', { cwd: root }).filter(
  (file) => !/(\.test|\/testing[a-z-]*)\.ts$/.test(file),
)
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const edges = files.flatMap((file) => {
  const found = [...(sources.get(file) ?? '').matchAll(/(?:from|import\() ?'#([^']+)'/g)]
  return found.map((match) => ({
    file,
    from: file.split('/')[1] ?? '',
    door: match[1] ?? '',
    to: match[1]?.split('/')[0] ?? '',
  }))
})

test('the check sees the code', () => {
  assert.ok(files.length > 50, `${files.length} files`)
  assert.ok(edges.length > 80, `${edges.length} imports`)
  assert.ok(edges.some((edge) => edge.file === 'src/access/index.ts' && edge.door === 'kernel/auth'))
})

test('every folder of src has a line in the table', () => {
  const folders = new Set(files.map((file) => file.split('/')[1] ?? ''))
  assert.deepEqual(
    [...folders].filter((folder) => !(folder in may)),
    [],
  )
})

test('features import only what the table allows', () => {
  const wrong = edges.filter((edge) => edge.to !== edge.from && !may[edge.from]?.includes(edge.to))
  assert.deepEqual(
    wrong.map((edge) => `${edge.file} -> #${edge.door}`),
    [],
  )
})

test('the parts of the kernel import only what lies below them', () => {
  const inside = edges.filter((edge) => edge.from === 'kernel' && edge.to === 'kernel')
  const wrong = inside.filter((edge) => {
    const [from, to] = [edge.file.split('/')[2] ?? '', edge.door.split('/')[1] ?? '']
    return from !== to && !kernelMay[from]?.includes(to)
  })
  assert.ok(inside.length > 30)
  assert.deepEqual(
    wrong.map((edge) => `${edge.file} -> #${edge.door}`),
    [],
  )
})

test('only kernel/config reads the environment', () => {
  const readers = files.filter((file) => /process\.env|process\['env'\]/.test(sources.get(file) ?? ''))
  assert.deepEqual(readers, ['src/kernel/config/index.ts'])
})

test('no file has more than 500 lines, and the median stays small', () => {
  const all = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}', 'test/**/*.ts', 'scripts/**/*.ts'], {
    cwd: root,
    exclude: ['web/dist/**', '**/node_modules/**'],
  })
  const lengths = all.map((file) => ({
    file,
    lines: readFileSync(join(root, file), 'utf8').split('\n').length,
  }))
  assert.ok(all.length > 100, `${all.length} files`)
  assert.deepEqual(
    lengths.filter(({ lines }) => lines > 500),
    [],
  )
  const median =
    lengths.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0
  assert.ok(median <= 110, `median ${median}`)
})

test('nothing is a drawer for odds and ends', () => {
  const all = globSync(['src/**', 'web/**', 'test/**'], {
    cwd: root,
    exclude: ['web/dist/**', '**/node_modules/**'],
  })
  assert.deepEqual(
    all.filter((path) => /(^|\/)(utils?|helpers?|common|misc)(\.|\/|$)/.test(path)),
    [],
  )
})
