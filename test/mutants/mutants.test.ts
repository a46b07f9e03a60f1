import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { mutants } from './list.ts'
import { copyTree, runTests, tryMutant, whyNotApplicable, type Mutant } from './mutant.ts'

const root = join(import.meta.dirname, '../..')

test('every mutant still applies: its text is there once, and its tests exist', () => {
  assert.ok(mutants.length >= 45, `${mutants.length} mutants`)
  assert.deepEqual(
    mutants.flatMap((mutant) => whyNotApplicable(root, mutant) ?? []),
    [],
  )
})

/** A small project whose only test checks one of its two guards. */
function smallProject(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'src'))
  writeFileSync(
    join(folder, 'src/door.mjs'),
    'export const mayEnter = (age, key) => {\n  if (age < 18) return false\n  return key === 1\n}\n',
  )
  writeFileSync(
    join(folder, 'src/door.test.mjs'),
    `import { test } from 'node:test'
     import assert from 'node:assert/strict'
     import { mayEnter } from './door.mjs'
     test('the young stay outside', () => assert.equal(mayEnter(17, 1), false))`,
  )
  return folder
}

const age: Mutant = {
  guard: 'age',
  file: 'src/door.mjs',
  text: 'age < 18',
  replacement: 'false',
  tests: ['src/door.test.mjs'],
}
const key: Mutant = { ...age, guard: 'key', text: 'key === 1', replacement: 'true' }

test('a guard that a test checks is killed, one that no test checks survives, and the copy is whole again', async () => {
  const { folder, remove } = copyTree(smallProject())
  assert.equal(await tryMutant(folder, key), 'survived')
  assert.equal(await tryMutant(folder, age), 'killed')
  assert.equal(await runTests(folder, age), 'passed')
  assert.equal(await runTests(folder, { ...age, name: 'no such test' }), 'none')
  assert.equal(await tryMutant(folder, { ...age, name: 'no such test' }), 'survived')
  remove()
})

test('a mutant whose text is gone, or is there twice, whose replacement is no code, or whose tests are gone, is reported', () => {
  const folder = smallProject()
  assert.equal(whyNotApplicable(folder, age), undefined)
  assert.match(whyNotApplicable(folder, { ...age, text: 'age < 21' }) ?? '', /0 times/)
  assert.match(whyNotApplicable(folder, { ...age, text: 'age' }) ?? '', /2 times/)
  assert.match(whyNotApplicable(folder, { ...age, file: 'src/gate.mjs' }) ?? '', /does not exist/)
  assert.match(whyNotApplicable(folder, { ...age, tests: ['src/gone.test.mjs'] }) ?? '', /does not exist/)
  assert.match(whyNotApplicable(folder, { ...age, replacement: age.text }) ?? '', /changes nothing/)
  assert.match(whyNotApplicable(folder, { ...age, replacement: 'age <' }) ?? '', /cannot be parsed/)
})
