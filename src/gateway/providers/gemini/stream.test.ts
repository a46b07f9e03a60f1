import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  collect,
  cutAnywhere,
  exchangeOf,
  faultOf,
  randomNumbers,
  readAll,
  withoutTime,
} from '../../chat/testing.ts'
import { breaksAnywhere } from '../../chat/testing-breaks.ts'
import { gemini } from './index.ts'

const request = {
  model: 'gemini-3.8-flash',
  messages: [{ role: 'user', content: 'hello' }],
  stream: true,
  stream_options: { include_usage: true },
}
const reader = (more: object = {}) => exchangeOf(gemini, { ...request, ...more }).stream()
const chunk = (parts: object[], more: object = {}, usageMetadata: object = { promptTokenCount: 100 }) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  usageMetadata,
  responseId: 'r1',
})
// Google ends its lines with carriage return and line feed.
const bytes = (...chunks: object[]) =>
  Buffer.from(chunks.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join(''))

const ended = (finishReason: string, more: object = {}) =>
  chunk(
    [{ text: '', thoughtSignature: 'text-sig' }],
    { finishReason, ...more },
    { candidatesTokenCount: 30, thoughtsTokenCount: 20, totalTokenCount: 150, cachedContentTokenCount: 40 },
  )
const grounding = {
  webSearchQueries: ['q'],
  groundingChunks: [{ web: { uri: 'https://a.b', title: 'A' } }],
  groundingSupports: [{ segment: { startIndex: 7, endIndex: 12 }, groundingChunkIndices: [0] }],
}
const everything = [
  chunk([{ text: 'hm… ', thought: true }]),
  chunk([{ text: '🤔', thought: true }]),
  chunk([{ text: 'Grüß' }]),
  chunk([{ text: 'e 😀' }, { executableCode: {} }]),
  chunk([{ functionCall: { id: 'f1', name: 'x', args: { city: 'Rome' } }, thoughtSignature: 'sig' }]),
  chunk([{ functionCall: { name: 'x', args: {} } }, { functionCall: { name: 'x' } }]),
  chunk([{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }]),
  ended('STOP', { groundingMetadata: grounding }),
]

test('a stream with every kind of part follows the rules of chat-completion streams', () => {
  const { message, finishReason, usage } = collect(readAll(reader(), [bytes(...everything)]), true)
  const entry = { format: 'google-gemini-v1', model: 'gemini-3.8-flash' }
  assert.deepEqual(message, {
    role: 'assistant',
    content: 'Grüße 😀',
    reasoning_content: 'hm… 🤔',
    reasoning: 'hm… 🤔',
    reasoning_details: [
      { type: 'reasoning.text', text: 'hm… 🤔', ...entry, index: 0 },
      { type: 'reasoning.encrypted', data: 'sig', id: 'f1', ...entry, index: 1 },
      { type: 'reasoning.encrypted', data: 'text-sig', ...entry, index: 2 },
    ],
    tool_calls: [
      {
        id: 'f1',
        type: 'function',
        function: { name: 'x', arguments: '{"city":"Rome"}' },
        extra_content: { google: { thought_signature: 'sig' } },
      },
      { id: 'call_r1_0_1', type: 'function', function: { name: 'x', arguments: '{}' } },
      { id: 'call_r1_0_2', type: 'function', function: { name: 'x', arguments: '{}' } },
    ],
    images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }],
    // "Grüße " is 8 bytes and 6 characters; bytes 7 to 12 are " 😀"
    annotations: [
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.b', title: 'A', start_index: 5, end_index: 8 },
      },
    ],
    extra_content: { google: { thought_signature: 'text-sig' } },
  })
  assert.equal(finishReason, 'tool_calls')
  assert.deepEqual(
    [usage?.['prompt_tokens'], usage?.['completion_tokens'], usage?.['total_tokens']],
    [100, 50, 150], // 30 + 20 of them thoughts
  )
})

test('usage is the last report, and what it leaves out stays known', () => {
  const stream = reader({ stream_options: undefined })
  const out = readAll(stream, [bytes(...everything)])
  assert.equal(collect(out).usage, undefined)
  assert.deepEqual(stream.usage, {
    uncached: 60, // 100 - 40
    cacheRead: 40,
    cacheWrite: 0,
    cacheWriteLong: 0,
    output: 50,
    reasoning: 20,
    audioInput: 0,
    audioOutput: 0,
    statedCost: null,
    units: { web_search: 1 },
  })
})

test('wherever the bytes are cut, the stream is the same', () => {
  const whole = bytes(...everything)
  const expected = withoutTime(readAll(reader(), [whole]))
  for (let seed = 1; seed <= 100; seed++) {
    const out = readAll(reader(), cutAnywhere(whole, randomNumbers(seed)))
    assert.equal(withoutTime(out), expected, `seed ${seed}`)
  }
  const single = Array.from(whole, (byte) => Uint8Array.of(byte))
  assert.equal(withoutTime(readAll(reader(), single)), expected)
})

test('a client that leaves is billed for what was delivered: text, reasoning and arguments', () => {
  const stream = reader()
  stream.push(bytes(...everything.slice(0, 6)))
  assert.equal(stream.delivered, 'hm… 🤔Grüße 😀{"city":"Rome"}{}{}')
  assert.equal(stream.usage?.uncached, 100)
})

test('a stream that ends before the candidate does is an error, wherever it ends', () => {
  for (let count = 0; count < everything.length; count++) {
    const fault = faultOf(() => readAll(reader(), [bytes(...everything.slice(0, count))]))
    assert.equal(fault.status, 502, `after ${count} chunks`)
    assert.match(fault.message, /before the response was complete/)
  }
})

test('an error inside a stream becomes the fault it stands for', () => {
  const statusOf = (code: unknown) => {
    const failing = { error: { code, message: 'said so', status: 'X' } }
    return faultOf(() => readAll(reader(), [bytes(chunk([{ text: 'x' }]), failing)])).status
  }
  assert.equal(statusOf(503), 503)
  assert.equal(statusOf(429), 429)
  assert.equal(statusOf(500), 502)
  assert.equal(statusOf(400), 400)
  assert.equal(statusOf('odd'), 502)
})

test('a blocked prompt, a stopped answer and a failed call are told apart', () => {
  const silent = reader({ stream_options: undefined })
  const blocked = collect(readAll(silent, [bytes({ promptFeedback: { blockReason: 'OTHER' } })]))
  assert.equal(blocked.finishReason, 'content_filter')
  assert.equal(blocked.message['refusal'], 'The prompt was blocked: OTHER.')
  const stopped = collect(readAll(reader(), [bytes(chunk([{ text: 'a' }]), ended('SAFETY'))]), true)
  assert.equal(stopped.finishReason, 'content_filter')
  assert.equal(stopped.message['refusal'], 'The response was stopped: SAFETY.')
  const failed = faultOf(() => readAll(reader(), [bytes(ended('MALFORMED_FUNCTION_CALL'))]))
  assert.equal(failed.status, 502)
})

test('a long decode ends as cut off, with the token to continue', () => {
  const end = ended('CONTINUATION', { continuationToken: 'more' })
  const { message, finishReason } = collect(readAll(reader(), [bytes(chunk([{ text: 'half' }]), end)]), true)
  assert.equal(finishReason, 'length')
  assert.deepEqual(message['extra_content'], {
    google: { thought_signature: 'text-sig', continuation_token: 'more' },
  })
})

test('an event that is not JSON is an error', () => {
  assert.equal(faultOf(() => reader().push(Buffer.from('data: [oops\r\n\r\n'))).status, 502)
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const events = everything.map((one) => bytes(one).toString())
  const error = bytes({ error: { code: 503, message: 'too busy', status: 'UNAVAILABLE' } }).toString()
  breaksAnywhere({ reader, events, error, message: 'too busy' })
  const nonsense = 'data: [oops\r\n\r\n'
  breaksAnywhere({ reader, events, error: nonsense, message: 'Gemini sent a stream event that is not JSON.' })
})
