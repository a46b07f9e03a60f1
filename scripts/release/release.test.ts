import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { notesOf } from './changelog.ts'
import { packedProblems, problemsOf, type Sources } from './checks.ts'
import { packagesOf, productionLock, type Lock } from './sbom.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

const changelog = `# Changelog

## [1.1.0] - 2026-12-01

### Added

- A whistle.

## [1.0.0] - 2026-11-18

- The first.
`
const sources: Sources = {
  version: '1.1.0',
  changelog,
  chart: 'name: x\nversion: 1.1.0\nappVersion: 1.1.0\n',
  changed: '',
  tag: 'none',
}

test('this version has its section in CHANGELOG.md, at the top', () => {
  assert.match(notesOf(read('CHANGELOG.md'), version).date, /^\d{4}-/)
  assert.equal(/^## \[([^\]]+)\]/m.exec(read('CHANGELOG.md'))?.[1], version)
})

test('the notes of a release are its section and nothing of the one before', () => {
  assert.deepEqual(notesOf(changelog, '1.1.0'), { date: '2026-12-01', text: '### Added\n\n- A whistle.' })
  assert.equal(notesOf(changelog, '1.0.0').text, '- The first.')
})

test('a release needs a section with a date and a change', () => {
  assert.throws(() => notesOf(changelog, '1.2.0'), /has no section/)
  assert.throws(() => notesOf('## [1.2.0]\n\n- A change.\n', '1.2.0'), /needs a date/)
  assert.throws(() => notesOf('## [1.2.0] - 2026-12-01\n\nNothing.\n', '1.2.0'), /lists no change/)
})

test('a release is refused where a file says another version, and where something is not committed', () => {
  assert.deepEqual(problemsOf('1.1.0', sources), [])
  const count = (change: Partial<Sources>, wanted = '1.1.0') =>
    problemsOf(wanted, { ...sources, ...change }).length
  assert.deepEqual(
    [
      count({}, '1.2.0'),
      count({ chart: 'name: x\nversion: 1.0.0\nappVersion: 1.1.0\n' }),
      count({ changelog: '' }),
      count({ tag: 'elsewhere' }),
      count({ changed: '?? new.ts\n' }),
      count({ tag: 'here' }),
    ],
    [1, 1, 1, 1, 1, 0],
  )
})

test('a packed file without the dashboard, or with a key or TypeScript, is refused', () => {
  const whole = [
    ...['bin/signalbox.js', 'lib/cli/main.js', 'lib/commit.json', 'web/dist/index.html', 'docs/deploy.md'],
    ...['deploy/systemd/signalbox@.service', 'CHANGELOG.md', 'migrations/0001_kernel.sql'],
  ]
  assert.deepEqual(packedProblems(whole), [])
  assert.equal(packedProblems(whole.filter((file) => file !== 'web/dist/index.html')).length, 1)
  assert.equal(packedProblems([...whole, 'lib/cli/run.ts', 'data/master.key', '.env']).length, 3)
})

test('the SBOM has every package of the product, also those that tests use, and none of the others', () => {
  const lock = JSON.parse(read('package-lock.json')) as Lock
  const listed = packagesOf(productionLock(lock)).map((name) => name.replace(/@[^@]*$/, ''))
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  const all = { ...manifest['dependencies'], ...manifest['optionalDependencies'] }
  assert.deepEqual(
    Object.keys(all).filter((name) => !listed.includes(name)),
    [],
  )
  const builds = ['react', 'vite', 'typescript', 'playwright-core', 'oxlint']
  assert.deepEqual(
    builds.filter((name) => listed.includes(name)),
    [],
  )
})
