import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '#kernel/errors'
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
import { anthropic } from './index.ts'

const request = {
  model: 'claude-opus-5-5',
  messages: [{ role: 'user', content: 'hello' }],
  stream: true,
  stream_options: { include_usage: true },
  tools: ['look up', 'none'].map((name) => ({ type: 'function', function: { name } })),
}
const reader = (more: object = {}) => exchangeOf(anthropic, { ...request, ...more }).stream()
const frame = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const bytes = (...events: Parameters<typeof frame>[0][]) => Buffer.from(events.map(frame).join(''))

const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 1,
    },
  },
}
const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
const close = (index: number) => ({ type: 'content_block_stop', index })
const ending = (stop_reason: string, more: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, ...more },
  usage: { input_tokens: 100, output_tokens: 60, output_tokens_details: { thinking_tokens: 25 } },
})
const stop = { type: 'message_stop' }

const everything = [
  start,
  open(0, { type: 'thinking', thinking: '', signature: '' }),
  { type: 'ping' },
  delta(0, { type: 'thinking_delta', thinking: 'hm… ' }),
  delta(0, { type: 'thinking_delta', thinking: '🤔' }),
  delta(0, { type: 'signature_delta', signature: 'sig' }),
  close(0),
  open(1, { type: 'redacted_thinking', data: 'sealed' }),
  close(1),
  open(2, { type: 'text', text: '' }),
  delta(2, { type: 'text_delta', text: 'Grüße ' }),
  delta(2, { type: 'text_delta', text: '😀' }),
  delta(2, { type: 'citations_delta', citation: { url: 'https://a.b', title: 'A' } }),
  delta(2, { type: 'delta_yet_unknown', text: 'x' }),
  close(2),
  open(3, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
  delta(3, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
  close(3),
  open(4, { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} }),
  delta(4, { type: 'input_json_delta', partial_json: '' }),
  delta(4, { type: 'input_json_delta', partial_json: '{"city":' }),
  delta(4, { type: 'input_json_delta', partial_json: '"Rome"}' }),
  close(4),
  open(5, { type: 'tool_use', id: 'toolu_2', name: 'none', input: {} }),
  close(5),
  open(6, { type: 'tool_use', id: 'toolu_3', name: 'none', input: {} }),
  delta(6, { type: 'input_json_delta', partial_json: '{}' }),
  close(6),
  { type: 'event_yet_unknown', data: 1 },
  ending('tool_use'),
  stop,
]

test('a stream with every kind of block follows the rules of chat-completion streams', () => {
  const out = readAll(reader(), [bytes(...everything)])
  const { message, finishReason, usage } = collect(out, true)
  const signed = { format: 'anthropic-claude-v1', model: 'claude-opus-5-5' }
  assert.deepEqual(message, {
    role: 'assistant',
    content: 'Grüße 😀',
    reasoning_content: 'hm… 🤔',
    reasoning: 'hm… 🤔',
    reasoning_details: [
      { type: 'reasoning.text', text: 'hm… 🤔', signature: 'sig', ...signed, index: 0 },
      { type: 'reasoning.encrypted', data: 'sealed', ...signed, index: 1 },
    ],
    annotations: [
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.b', title: 'A', start_index: 0, end_index: 8 },
      },
    ],
    tool_calls: [
      { id: 'toolu_1', type: 'function', function: { name: 'look up', arguments: '{"city":"Rome"}' } },
      { id: 'toolu_2', type: 'function', function: { name: 'none', arguments: '{}' } },
      { id: 'toolu_3', type: 'function', function: { name: 'none', arguments: '{}' } },
    ],
  })
  assert.equal(finishReason, 'tool_calls')
  assert.equal(usage?.['prompt_tokens'], 170) // 100 + 40 + 10 + 20
  assert.equal(usage?.['completion_tokens'], 60)
  assert.ok(out.includes(': ping\n\n'), 'pings keep the client’s connection alive')
})

test('the usage of the start and of the end is not added up, and nothing known is lost', () => {
  const stream = reader()
  stream.push(bytes(start))
  assert.deepEqual(stream.usage, {
    uncached: 100,
    cacheRead: 40,
    cacheWrite: 10,
    cacheWriteLong: 20,
    output: 1,
    reasoning: 0,
    audioInput: 0,
    audioOutput: 0,
    statedCost: null,
    units: {},
  })
  const nulls = { cache_read_input_tokens: null, cache_creation_input_tokens: null }
  stream.push(bytes({ ...ending('end_turn'), usage: { ...ending('').usage, ...nulls } }, stop))
  const { uncached, cacheRead, cacheWrite, cacheWriteLong, output, reasoning } = stream.usage ?? {}
  assert.deepEqual(
    [uncached, cacheRead, cacheWrite, cacheWriteLong, output, reasoning],
    [100, 40, 10, 20, 60, 25],
  )
})

test('without include_usage there is no usage chunk, yet the gateway knows the usage', () => {
  const stream = reader({ stream_options: undefined })
  const out = readAll(stream, [bytes(...everything)])
  assert.equal(collect(out).usage, undefined)
  assert.equal(stream.usage?.output, 60)
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
  const crlf = Buffer.from(whole.toString().replaceAll('\n', '\r\n'))
  assert.equal(withoutTime(readAll(reader(), cutAnywhere(crlf, randomNumbers(5)))), expected)
})

test('a client that leaves is billed for what was delivered: text, reasoning and arguments', () => {
  const stream = reader()
  stream.push(bytes(...everything.slice(0, -2)))
  assert.equal(stream.delivered, 'hm… 🤔Grüße 😀{"city":"Rome"}{}{}')
})

test('a refusal in a stream is returned as one', () => {
  const details = { stop_details: { explanation: 'No.', category: null } }
  const out = readAll(reader(), [bytes(start, ending('refusal', details), stop)])
  const { message, finishReason } = collect(out, true)
  assert.equal(message['refusal'], 'No.')
  assert.equal(finishReason, 'content_filter')
})

const broken = (...events: Parameters<typeof bytes>): Fault =>
  faultOf(() => readAll(reader(), [bytes(...events)]))

test('a stream that ends without its end marker is an error, wherever it ends', () => {
  for (let count = 0; count < everything.length; count++) {
    const fault = broken(...everything.slice(0, count))
    assert.equal(fault.status, 502, `after ${count} events`)
    assert.match(fault.message, /before the response was complete/)
  }
  const cut = bytes(...everything).subarray(0, -20)
  assert.equal(faultOf(() => readAll(reader(), [cut])).status, 502)
})

test('an error inside a stream becomes the fault it stands for', () => {
  const failing = (type: string, message = 'said so') => ({ type: 'error', error: { type, message } })
  const statusOf = (type: string) => broken(start, failing(type)).status
  assert.equal(statusOf('overloaded_error'), 503)
  assert.equal(statusOf('rate_limit_error'), 429)
  assert.equal(statusOf('api_error'), 502)
  assert.equal(statusOf('authentication_error'), 502)
  assert.equal(statusOf('invalid_request_error'), 400)
  assert.equal(statusOf('yet_unknown'), 502)
  assert.equal(broken(start, failing('overloaded_error')).message, 'said so')
})

test('an event that is not JSON is an error', () => {
  const fault = faultOf(() => reader().push(Buffer.from('event: message_start\ndata: {oops\n\n')))
  assert.equal(fault.status, 502)
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'too busy' } }
  // After the end nothing is read any more.
  const events = everything.slice(0, -1).map(frame)
  breaksAnywhere({ reader, events, error: frame(overloaded), message: 'too busy' })
  const nonsense = 'event: ping\ndata: {oops\n\n'
  breaksAnywhere({
    reader,
    events,
    error: nonsense,
    message: 'Anthropic sent a stream event that is not JSON.',
  })
})
