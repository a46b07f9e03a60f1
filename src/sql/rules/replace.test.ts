import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createClassifier } from '../classify/create-classifier.ts'
import { edited, isSound, type Edit } from './replace.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
after(() => classifier.close())

const text = 'select email from users, orders'
const isSoundWith = async (edit: Edit): Promise<boolean> => {
  const [before] = await classifier.classify(text, 'execute', 'a test')
  assert.ok(before)
  return isSound(before, await classifier.classify(edited(text, [edit]), 'execute', 'a test'), [edit])
}
const masked = '(select id from users) as users'
const at = text.indexOf('users')

test('a text with masks is sound only where every table is as it was, or inside what was inserted', async () => {
  assert.ok(await isSoundWith({ from: at, to: at + 5, text: masked }))
  // The mask stands beside the table, in place of nothing, and in place of two tables.
  assert.ok(!(await isSoundWith({ from: at, to: at, text: `${masked}, ` })))
  assert.ok(!(await isSoundWith({ from: at, to: at + 5, text: "(select '•••' as email) as users" })))
  assert.ok(!(await isSoundWith({ from: at, to: text.length, text: masked })))
  // The mask is in a string, and the table where it was.
  assert.ok(!(await isSoundWith({ from: 7, to: 12, text: "'(select id from users) as users'" })))
  assert.ok(!(await isSoundWith({ from: at, to: at + 5, text: `${masked}; select 1 from orders` })))
})
