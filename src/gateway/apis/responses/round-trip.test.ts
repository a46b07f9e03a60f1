import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAiCompatible } from '../../providers/index.ts'
import { openai } from '../../providers/openai/index.ts'
import { readAll } from '../../passthrough/testing.ts'
import { SseParser } from '../../wire/sse.ts'
import { chatFor, chunks, exchangeOf, responseTo } from './testing.ts'

const details = [
  { type: 'reasoning.text', text: 'Hm', signature: 'c2ln', index: 0, format: 'anthropic-claude-v1' },
  { type: 'reasoning.encrypted', data: 'c2VhbGVk', index: 1, calls_before: 1 },
]
const extra = { google: { thought_signature: 'c2lnbmF0dXJl' } }
const calls = [
  { id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' }, extra_content: extra },
  { id: 'call_2', type: 'function', function: { name: 'b', arguments: '{}' } },
]
const said = { content: 'I look', reasoning: 'Hm', reasoning_details: details, tool_calls: calls }
const results = ['call_1', 'call_2'].map((id) => ({
  type: 'function_call_output',
  call_id: id,
  output: 'rain',
}))

/** The assistant's message of the next turn, when a client sends all items back as it got them. */
function broughtBack(output: readonly object[]): unknown {
  const input = [{ role: 'user', content: 'Hello' }, ...output, ...results]
  const { messages } = chatFor({ input }) as { messages: unknown[] }
  assert.equal(messages.length, 4, 'the question, what the model said, and two results')
  return messages[1]
}

const whole = { role: 'assistant', content: 'I look', tool_calls: calls, reasoning_details: details }

test('what a provider sealed into its reasoning and calls comes back to it', () => {
  assert.deepEqual(broughtBack(responseTo({}, said).output), whole)
})

test('the same from a stream, also what was signed after the last word', () => {
  const reader = exchangeOf({ stream: true }).stream()
  const [thought, sealed] = details
  const [first, second] = calls.map((call, index) => ({ tool_calls: [{ index, ...call }] }))
  const stream = chunks([
    { reasoning: 'Hm' },
    { reasoning_details: [thought] },
    { content: 'I look' },
    { ...first },
    { reasoning_details: [sealed] },
    { ...second },
  ])
  const last = new SseParser().push(Buffer.from(readAll(reader, [stream]).text)).at(-1)
  const { response } = JSON.parse(last?.data ?? '') as { response: { output: Record<string, unknown>[] } }
  assert.deepEqual(
    response.output.map((item) => item['type']),
    ['reasoning', 'message', 'function_call', 'function_call', 'reasoning'],
  )
  assert.deepEqual(broughtBack(response.output), whole)
})

test('pieces of one thought are kept as one', () => {
  const reader = exchangeOf({ stream: true }).stream()
  const piece = (text: string, more = {}) => ({ type: 'reasoning.text', text, index: 0, ...more })
  const stream = chunks([
    { reasoning: 'H', reasoning_details: [piece('H')] },
    { reasoning: 'm', reasoning_details: [piece('m')] },
    { reasoning_details: [piece('', { signature: 'c2ln' })] },
    { content: 'I look' },
    ...calls.map(({ extra_content: _unsigned, ...call }, index) => ({ tool_calls: [{ index, ...call }] })),
  ])
  const last = new SseParser().push(Buffer.from(readAll(reader, [stream]).text)).at(-1)
  const { response } = JSON.parse(last?.data ?? '') as { response: { output: object[] } }
  const message = broughtBack(response.output) as { reasoning_details: unknown }
  assert.deepEqual(message.reasoning_details, [piece('Hm', { signature: 'c2ln' })])
})

test('a seal that was tampered with is only a word of the client', () => {
  for (const text of [
    'signalbox.v1.',
    'signalbox.v1.%%%',
    `signalbox.v1.${Buffer.from('[1]').toString('base64url')}`,
  ]) {
    const item = { type: 'reasoning', summary: [], encrypted_content: text }
    const exchange = exchangeOf({ input: [item, { role: 'user', content: 'Hello' }] })
    assert.deepEqual(exchange.dropped, ['input.reasoning'])
  }
  const odd = Buffer.from(
    '{"provider":"acme","details":["x",{"type":"y"}],"extras":{"__proto__":5,"call_1":7}}',
  )
  const item = {
    type: 'reasoning',
    summary: [],
    encrypted_content: `signalbox.v1.${odd.toString('base64url')}`,
  }
  const call = { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' }
  const { messages } = chatFor({ input: [item, call] }) as { messages: object[] }
  assert.deepEqual(messages[0], {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' }, extra_content: {} },
    ],
    reasoning_details: [{ type: 'y' }],
  })
})

test("another provider's reasoning is removed, and the client is informed", () => {
  const other = openAiCompatible({ id: 'other', name: 'Other', prefixes: ['other-'] })
  const { output } = responseTo({}, said)
  const input = [{ role: 'user', content: 'Hello' }, ...output, ...results]
  const exchange = exchangeOf({ model: 'other-1', input }, other)
  assert.deepEqual(exchange.dropped, ['input.reasoning'])
  assert.doesNotMatch(Buffer.from(exchange.body).toString(), /reasoning_details|extra_content/)
})

test("another provider's reasoning does not reach OpenAI, which would refuse it; its own does", () => {
  const [sealed, ...rest] = responseTo({}, said).output
  const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }
  const model = 'gpt-6-sol'
  const exchange = exchangeOf({ model, input: [sealed, own, ...rest] }, openai)
  assert.deepEqual(JSON.parse(Buffer.from(exchange.body).toString()), { model, input: [own, ...rest] })
  assert.deepEqual(exchange.dropped, ['input.reasoning'])
  const untouched = exchangeOf({ model, input: [own, ...rest] }, openai)
  assert.deepEqual(untouched.dropped, [])
})
