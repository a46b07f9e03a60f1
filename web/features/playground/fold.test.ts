import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../api/client.ts'
import { emptyDraft, fold } from './fold.ts'

const foldAll = (...chunks: unknown[]) =>
  chunks.map((chunk) => JSON.stringify(chunk)).reduce(fold, emptyDraft)
const delta = (piece: unknown, finish_reason: string | null = null) => ({
  choices: [{ delta: piece, finish_reason }],
})

test('text, reasoning and the finish reason are collected', () => {
  const draft = foldAll(
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'Hm', reasoning: 'Hm' }),
    delta({ reasoning: '.' }),
    delta({ content: 'Hel' }),
    delta({ content: 'lo' }, 'stop'),
    {
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } },
    },
  )
  assert.equal(draft.text, 'Hello')
  assert.equal(draft.reasoning, 'Hm.')
  assert.equal(draft.finishReason, 'stop')
  assert.deepEqual(draft.usage, { input: 10, cached: 8, output: 4, reasoning: 0 })
})

test('tool calls grow by their index', () => {
  const call = (index: number, name: string | undefined, text: string) => ({
    tool_calls: [{ index, function: { ...(name === undefined ? {} : { name }), arguments: text } }],
  })
  const draft = foldAll(
    delta(call(0, 'find', '{"q":')),
    delta(call(1, 'open', '{}')),
    delta(call(0, undefined, '1}')),
  )
  assert.deepEqual(draft.toolCalls, [
    { name: 'find', arguments: '{"q":1}' },
    { name: 'open', arguments: '{}' },
  ])
})

test('an error within the stream is thrown with its code', () => {
  assert.throws(
    () => foldAll(delta({ content: 'a' }), { error: { message: 'Too slow.', code: 'provider_timeout' } }),
    (error) =>
      error instanceof ApiError && error.code === 'provider_timeout' && error.message === 'Too slow.',
  )
  assert.throws(() => fold(emptyDraft, '{'), ApiError)
})
