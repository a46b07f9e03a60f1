import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentId } from '#agents/contract'
import { idOf, modeWords } from './agent-words.ts'

test('the words of a mode say that the policy decides about SQL, where it does', () => {
  for (const [mode, words] of Object.entries(modeWords))
    assert.equal(/SQL follows the policy/.test(words), mode !== 'plan' && mode !== 'dontAsk', mode)
})

test('the name of an agent suggests an ID that the server accepts', () => {
  for (const [name, id] of [
    ['Data validator', 'data-validator'],
    ['  Käse & Co. (v2)! ', 'k-se-co-v2'],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ] as const) {
    assert.equal(idOf(name), id)
    assert.ok(agentId.safeParse(id).success, id)
  }
  assert.equal(idOf('…'), '')
})
