import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAnywhere, faultOf, randomNumbers } from '../../chat/testing.ts'
import type { StreamReader } from '../../provider.ts'
import { breaksAnywhere } from '../../chat/testing-breaks.ts'
import { passMessages } from './passthrough.ts'

const raw = Buffer.from(
  '{ "model":"claude-opus-5-5", "max_tokens":9007199254740993, "a_new_field":{"b":1.50}, "messages":[] }',
)
const request = { raw, body: {}, model: 'claude-opus-5-5', requestedModel: 'claude-opus-5-5', isStream: true }
const reader = (): StreamReader => passMessages(request).stream()
const frame = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

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
const delta = (piece: object) => ({ type: 'content_block_delta', index: 0, delta: piece })
const ending = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: {
    output_tokens: 60,
    output_tokens_details: { thinking_tokens: 25 },
    server_tool_use: { web_search_requests: 2 },
  },
}
const everything = [
  start,
  { type: 'ping' },
  delta({ type: 'thinking_delta', thinking: 'hm… 🤔 ' }),
  delta({ type: 'signature_delta', signature: 'sig' }),
  // Words that look like the end of the stream.
  delta({ type: 'text_delta', text: 'Grüße {"type":"error"} "type":"message_stop" 😀' }),
  delta({ type: 'input_json_delta', partial_json: '{"type":"error"}' }),
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', input: { type: 'error' } } },
  { type: 'event_yet_unknown', data: 1 },
  ending,
  { type: 'message_stop' },
]
const stream = Buffer.from(everything.map(frame).join(''))
const usage = {
  uncached: 100,
  cacheRead: 40,
  cacheWrite: 10,
  cacheWriteLong: 20,
  output: 60,
  reasoning: 25,
  audioInput: 0,
  audioOutput: 0,
  statedCost: null,
  units: { web_search: 2 },
}

function forwarded(from: StreamReader, pieces: Iterable<Uint8Array>): Buffer {
  const out: Uint8Array[] = []
  for (const piece of pieces) out.push(Buffer.from(from.push(piece)))
  out.push(Buffer.from(from.end()))
  return Buffer.concat(out)
}

test("the client's bytes and betas are sent unchanged, and its version only beside a beta that needs it", () => {
  const headers = { 'anthropic-beta': 'one-2026-01-01, two-2026-10-21', 'anthropic-version': '2026-10-21' }
  const exchange = passMessages({ ...request, headers })
  assert.equal(exchange.path, '/v1/messages')
  assert.deepEqual(exchange.headers, headers)
  const versionWith = (beta?: string) =>
    passMessages({
      ...request,
      headers: { 'anthropic-version': '2026-10-21', ...(beta !== undefined && { 'anthropic-beta': beta }) },
    }).headers?.['anthropic-version']
  assert.deepEqual([undefined, 'one-2026-01-01', 'undated', 'new-2026-12-01'].map(versionWith), [
    undefined,
    undefined,
    undefined,
    '2026-10-21',
  ])
  assert.equal(exchange.body, raw)
  assert.deepEqual(exchange.dropped, [])
})

test('a whole response is passed on byte for byte, and its usage is read', () => {
  const bytes = Buffer.from(
    `{ "content" :[], "usage": ${JSON.stringify({ ...start.message.usage, ...ending.usage })} }`,
  )
  const answer = passMessages(request).response(bytes)
  assert.equal(answer.body, bytes)
  assert.deepEqual(answer.usage, usage)
})

/** The pass that writes the summary is billed, and stands in no total. */
const compacted = {
  ...ending.usage,
  iterations: [
    {
      type: 'compaction',
      input_tokens: 180_000,
      output_tokens: 3_500,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 5,
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
    },
    { type: 'message', input_tokens: 100, output_tokens: 60 },
  ],
}
const withCompaction = {
  ...usage,
  uncached: 180_100,
  cacheRead: 47,
  cacheWrite: 12,
  cacheWriteLong: 23,
  output: 3_560,
}

test('what a compaction used is counted too, of a whole response and of a stream', () => {
  const whole = Buffer.from(JSON.stringify({ content: [], usage: { ...start.message.usage, ...compacted } }))
  assert.deepEqual(passMessages(request).response(whole).usage, withCompaction)
  const reader = passMessages(request).stream()
  const events = [start, { ...ending, usage: compacted }, { type: 'message_stop' }]
  forwarded(reader, [Buffer.from(events.map(frame).join(''))])
  assert.deepEqual(reader.usage, withCompaction)
})

test('an error or nonsense with a good status is a fault, not a response', () => {
  const fault = (text: string) => faultOf(() => passMessages(request).response(Buffer.from(text)))
  const overloaded = fault('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}')
  assert.deepEqual([overloaded.status, overloaded.message], [503, 'busy'])
  assert.equal(fault('<html>').status, 502)
  assert.equal(fault('{}').status, 502)
})

test('wherever a stream is cut into pieces, the client gets the same bytes and the meter the same counts', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const own = reader()
    assert.deepEqual(forwarded(own, cutAnywhere(stream, randomNumbers(seed))), stream, `seed ${seed}`)
    assert.deepEqual(own.usage, usage)
    assert.equal(own.delivered, 'hm… 🤔 Grüße {"type":"error"} "type":"message_stop" 😀{"type":"error"}')
  }
})

test('an error inside a stream is a fault after all that came before it', () => {
  const error = frame({ type: 'error', error: { type: 'overloaded_error', message: 'too busy' } })
  const before = everything.slice(0, 5).map(frame).join('')
  for (let seed = 1; seed <= 100; seed++) {
    const own = reader()
    let out = ''
    const fault = faultOf(() => {
      for (const piece of cutAnywhere(Buffer.from(before + error), randomNumbers(seed)))
        out += Buffer.from(own.push(piece)).toString('latin1')
      own.end()
    })
    assert.deepEqual([fault.status, fault.message], [503, 'too busy'])
    assert.equal(Buffer.from(out, 'latin1').toString(), before)
    assert.match(own.delivered, /^hm… 🤔 Grüße/)
  }
})

test('a stream that ends too early, or is none, is a fault', () => {
  const cut = reader()
  cut.push(stream.subarray(0, stream.length - 40))
  assert.match(faultOf(() => cut.end()).message, /before the response was complete/)
  assert.equal(cut.usage?.output, 60)
  const page = reader()
  page.push(Buffer.from('<html></html>'))
  assert.match(faultOf(() => page.end()).message, /did not send a stream/)
  const json = reader()
  json.push(Buffer.from('{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}'))
  assert.equal(faultOf(() => json.end()).status, 429)
})

test('a last event without its blank line still counts', () => {
  const own = reader()
  assert.deepEqual(forwarded(own, [stream.subarray(0, -2)]), stream)
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const error = frame({ type: 'error', error: { type: 'overloaded_error', message: 'too busy' } })
  breaksAnywhere({ reader, events: everything.map(frame), error, message: 'too busy' })
})
