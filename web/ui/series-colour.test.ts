import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coloursOf } from './series-colour.ts'

const models = ['claude-sonnet-4-6', 'gpt-5.2', 'gemini-3-pro', 'sonar', 'gpt-5.2-mini']

test('a model has the same colour alone, among others, and in any order', () => {
  const all = coloursOf(models)
  assert.equal(new Set(all.values()).size, models.length, 'no two share one')
  assert.deepEqual(coloursOf(models.toReversed()), all)
  const [first = ''] = models.toSorted()
  assert.equal(coloursOf([first]).get(first), all.get(first))
})
