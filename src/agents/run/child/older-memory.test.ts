import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inChatForm } from './older-memory.ts'

test('a conversation that an earlier release kept is continued in the form of Chat Completions', () => {
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'count', input: { table: 'orders' } }
  const output = { type: 'json', value: { rows: 3 } }
  const earlier = [
    { role: 'user', content: [{ type: 'text', text: 'How many orders?' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'count', output }] },
  ]
  const now = [
    { role: 'user', content: 'How many orders?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'count', arguments: '{"table":"orders"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"rows":3}' },
  ]
  assert.deepEqual(inChatForm(earlier), now)
  assert.deepEqual(inChatForm(now), now)
})
