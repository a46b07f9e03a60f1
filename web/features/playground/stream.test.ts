import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../api/client.ts'
import { emptyDraft, fold } from './fold.ts'
import { readEvents } from './sse.ts'

const streamOf = (pieces: (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder()
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      controller.close()
    },
  })

async function eventsOf(...pieces: (string | Uint8Array)[]): Promise<string[]> {
  const events: string[] = []
  for await (const data of readEvents(streamOf(pieces))) events.push(data)
  return events
}

test('events are found wherever the pieces are cut', async () => {
  const source =
    ': keep-alive\r\n\r\nevent: x\r\ndata: {"a":"ü"}\r\n\r\ndata: one\ndata:two\n\ndata: [DONE]\r\r'
  const bytes = new TextEncoder().encode(source)
  const whole = ['{"a":"ü"}', 'one\ntwo', '[DONE]']
  assert.deepEqual(await eventsOf(bytes), whole)
  for (let cut = 1; cut < bytes.length; cut += 1)
    assert.deepEqual(await eventsOf(bytes.slice(0, cut), bytes.slice(cut)), whole, `cut at ${cut}`)
  assert.deepEqual(await eventsOf(...[...bytes].map((byte) => Uint8Array.of(byte))), whole)
})

test('an event that was cut off is dropped', async () => {
  assert.deepEqual(await eventsOf('data: one\n\ndata: tw'), ['one'])
})

test('whoever stops reading ends the stream', async () => {
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const data of readEvents(stream)) if (data === 'x') break
  assert.equal(isCancelled, true)
})

const foldAll = (...chunks: unknown[]) =>
  chunks.map((chunk) => JSON.stringify(chunk)).reduce(fold, emptyDraft)
const delta = (piece: unknown, finish_reason: string | null = null) => ({
  choices: [{ delta: piece, finish_reason }],
})

test('text, reasoning and the end are put together', () => {
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
