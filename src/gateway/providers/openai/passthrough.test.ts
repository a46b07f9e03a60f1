import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '#kernel/errors'
import { noUsage } from '../../wire/chunk-writer.ts'
import { cut, readAll, readUntilFault, requestOf } from '../../passthrough/testing.ts'
import { breaksAnywhere } from '../../chat/testing-breaks.ts'
import { openai } from './index.ts'

const ask = (body: object, raw?: string) => openai.passthrough.responses(requestOf(body, raw))
const plain = { model: 'gpt-6-sol', input: 'Hello' }
const reader = () => ask({ ...plain, stream: true }).stream()
const frame = (event: { type: string; [field: string]: unknown }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
  output_tokens: 60,
  output_tokens_details: { reasoning_tokens: 25 },
  total_tokens: 160,
}
const counted = { ...noUsage, uncached: 50, cacheRead: 40, cacheWrite: 10, output: 60, reasoning: 25 }
const output = [
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { type: 'message', content: [{ type: 'output_text', text: 'Grüße 😀' }] },
]
const completed = {
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', error: null, output, usage },
}
const said = [
  { type: 'response.created', response: { status: 'in_progress', error: null, usage: null } },
  { type: 'response.reasoning_summary_text.delta', delta: 'hm… 🤔 ' },
  {
    type: 'response.output_text.delta',
    delta: 'Grüße {"type":"error"} "type":"response.failed" 😀',
    obfuscation: 'x',
  },
  { type: 'response.function_call_arguments.delta', delta: '{"type":"error"}' },
  { type: 'response.custom_tool_call_input.delta', delta: '*** patch' },
  // Something else that ends as an error ends: only the event's own type counts.
  { type: 'response.output_item.done', item: { type: 'mcp_call', error: { type: 'error' } } },
  { type: 'response.image_generation_call.partial_image', delta: 'iVBO', partial_image_b64: 'iVBO' },
  { type: 'response.event_yet_unknown', delta: 'no words' },
]
const words = 'hm… 🤔 Grüße {"type":"error"} "type":"response.failed" 😀{"type":"error"}*** patch'

test('a request goes to OpenAI byte for byte, whatever it holds', () => {
  const raw =
    '{ "model":"gpt-6-sol",  "input":"h\\u00e9", "previous_response_id":"resp_0", "tools":[{"type":"web_search"}], "brand_new":{"a":1.0,"b":12345678901234567890} }'
  const exchange = ask(JSON.parse(raw) as object, raw)
  assert.equal(Buffer.from(exchange.body).toString(), raw)
  assert.deepEqual([exchange.path, exchange.dropped], ['/responses', []])
})

test('metadata that OpenAI would refuse stays with the gateway, and the response says so', () => {
  const kept = ask({ ...plain, metadata: { team: 'a' } })
  assert.deepEqual(JSON.parse(Buffer.from(kept.body).toString()), { ...plain, metadata: { team: 'a' } })
  const nested = ask({ ...plain, metadata: { team: { name: 'a' } } })
  assert.equal(Buffer.from(nested.body).toString(), JSON.stringify(plain))
  assert.deepEqual(nested.dropped, ['metadata'])
})

test('a response in the background is refused: nobody could account for it', () => {
  assert.throws(
    () => ask({ ...plain, background: true }),
    (fault) => fault instanceof Fault && fault.status === 400 && fault.param === 'background',
  )
  ask({ ...plain, background: false })
})

test('a whole response is passed on as bytes, and its tokens and searches are counted', () => {
  const bytes = Buffer.from(`  ${JSON.stringify(completed.response, null, 2)}`)
  const answer = ask(plain).response(bytes)
  assert.equal(answer.body, bytes)
  assert.deepEqual(answer.usage, { ...counted, units: { web_search: 1 } })
})

test('only what OpenAI bills beside the tokens is counted: searches of the web and of files, not pages that were opened', () => {
  const calls = [
    { type: 'web_search_call', action: { type: 'search', query: 'a' } },
    { type: 'web_search_call', action: null },
    { type: 'web_search_call', action: { type: 'open_page', url: 'https://a' } },
    { type: 'web_search_call', action: { type: 'find_in_page', url: 'https://a', pattern: 'b' } },
    { type: 'file_search_call', queries: ['a', 'b'], results: null },
  ]
  const response = { ...completed.response, output: [...calls, ...output] }
  const units = { web_search: 3, file_search: 1 }
  assert.deepEqual(ask(plain).response(Buffer.from(JSON.stringify(response))).usage, { ...counted, units })
  const streamed = readAll(reader(), [Buffer.from(frame({ ...completed, response }))])
  assert.deepEqual(streamed.usage, { ...counted, units })
})

test('a failed answer is a fault although its status is 200', () => {
  const failed = {
    status: 'failed',
    error: { code: 'rate_limit_exceeded', message: 'slow down' },
    output: [],
  }
  for (const [body, status, message] of [
    [JSON.stringify(failed), 429, /slow down/],
    [JSON.stringify({ status: 'queued', output: [] }), 502, /status queued/],
    ['<html>', 502, /not JSON/],
    ['{"status":"completed"}', 502, /without output/],
  ] as const) {
    assert.throws(
      () => ask(plain).response(Buffer.from(body)),
      (fault) => fault instanceof Fault && fault.status === status && message.test(fault.message),
    )
  }
})

test('a stream is passed on byte for byte, wherever the network cuts it', () => {
  const stream = Buffer.from(`: hello\n\n${[...said, completed].map(frame).join('')}`)
  const incomplete = { ...completed, type: 'response.incomplete' }
  for (let seed = 0; seed < 200; seed++) {
    const told = readAll(reader(), cut(stream, seed))
    assert.equal(told.text, stream.toString())
    assert.deepEqual(told.usage, { ...counted, units: { web_search: 1 } })
    assert.equal(told.delivered, words)
    const carried = Buffer.from(frame(incomplete).replaceAll('\n', '\r\n'))
    assert.equal(readAll(reader(), cut(carried, seed)).text, carried.toString())
  }
})

test('no piece that is passed on ends inside a character', () => {
  const stream = Buffer.from([...said, completed].map(frame).join(''))
  for (let seed = 0; seed < 50; seed++) {
    const pieces = reader()
    for (const piece of cut(stream, seed)) {
      const passed = Buffer.from(pieces.push(piece))
      assert.deepEqual(Buffer.from(passed.toString()), passed)
    }
  }
})

test('an error inside a stream is a fault after all that came before it', () => {
  const before = said.slice(0, 3).map(frame).join('')
  for (const [ending, status] of [
    [{ type: 'error', code: 'server_is_overloaded', message: 'too busy', param: null }, 503],
    [{ type: 'error', error: { type: 'x', code: 'insufficient_quota', message: 'too busy' } }, 429],
    [
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_error', message: 'too busy' } },
      },
      502,
    ],
  ] as const) {
    for (let seed = 0; seed < 50; seed++) {
      const { text, fault } = readUntilFault(reader(), cut(Buffer.from(before + frame(ending)), seed))
      assert.equal(text, before)
      assert.deepEqual([fault.status, fault.message], [status, 'too busy'])
    }
    const { text } = readUntilFault(reader(), [Buffer.from(before + frame(ending))])
    assert.equal(text, before, 'also when all came in one piece')
  }
})

test('a stream that breaks off is a fault, and what was said can still be counted', () => {
  const broken = reader()
  broken.push(Buffer.from(said.map(frame).join('')))
  broken.push(Buffer.from('event: response.completed\ndata: {"type":"resp'))
  assert.throws(() => broken.end(), /ended the stream before the response was complete/)
  assert.equal(broken.usage, null)
  assert.equal(broken.delivered, words)
})

test('the last event counts without its closing blank line', () => {
  const whole = reader()
  whole.push(Buffer.from(frame(completed).trimEnd()))
  assert.equal(Buffer.from(whole.end()).toString(), frame(completed))
  assert.equal(whole.usage?.output, 60)
})

test('a page or an error in place of a stream is reported as what it is', () => {
  for (const [body, message] of [
    ['<html>\n\n</html>', /did not send a stream/],
    ['{"error":{"message":"no such thing"}}', /no such thing/],
  ] as const) {
    for (let seed = 0; seed < 20; seed++) {
      const { text, fault } = readUntilFault(reader(), cut(Buffer.from(body), seed))
      assert.equal(text, '')
      assert.match(fault.message, message)
    }
  }
})

test('a long stream is counted to its last word', () => {
  const long = reader()
  const delta = frame({ type: 'response.output_text.delta', delta: 'wörd ' })
  for (let count = 0; count < 3000; count++) long.push(Buffer.from(delta))
  assert.equal(long.delivered, 'wörd '.repeat(3000))
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const error = frame({ type: 'error', code: 'server_is_overloaded', message: 'too busy', param: null })
  breaksAnywhere({ reader, events: said.map(frame), error, message: 'too busy' })
})
