import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { faults } from '#kernel/errors'
import { errorPage } from '../scripts/docs/errors.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)]

/** Codes that a feature gives to a fault of the table, as `code: 'some_code'` in what it throws. */
const own = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'src/kernel/errors/**'] }).flatMap(
  (file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/new Fault\([^]*?\n {2}\}\)/g)].flatMap(([thrown]) =>
      [...thrown.matchAll(/^ {4}code: '(\w+)',$/gm)].map((match) => match[1] ?? ''),
    ),
)

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

test('the page of error codes has every code of the table and of the features, and no other', () => {
  assert.ok(own.includes('runtime_unavailable'), 'the check sees the codes of features')
  const known = [...Object.values(faults).map(({ code }) => code), ...own]
  const listed = rows.map((row) => row[1] ?? '')
  assert.deepEqual(listed.toSorted(byText), [...new Set(known)].toSorted(byText))
})

test('docs/errors.md is as npm run docs writes it', () => {
  assert.equal(page, errorPage(), 'Run npm run docs and commit docs/errors.md.')
})

test('every code says when it happens and what to do next', () => {
  for (const [, code, , , when = '', next = ''] of rows)
    assert.ok(when.trim().endsWith('.') && next.trim().endsWith('.'), code)
})

test('429 has one home: no part makes a fault of it elsewhere', () => {
  const makers = globSync('src/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', 'src/kernel/errors/**'],
  }).filter((file) => readFileSync(join(root, file), 'utf8').includes('faults.rateLimit'))
  // The words of a provider are kept.
  assert.deepEqual(makers, ['src/gateway/wire/fault.ts'])
})
