import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentId } from '#agents/contract'
import { idOf } from './agent-words.ts'

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
