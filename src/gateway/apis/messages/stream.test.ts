import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAnywhere, faultOf, randomNumbers, readAll } from '../../chat/testing.ts'
import type { JsonObject } from '../../wire/json.ts'
import { breaksAnywhere } from '../../chat/testing-breaks.ts'
import { ask, chatStream, collect } from './testing.ts'

const reader = (body: JsonObject = {}) => ask({ stream: true, ...body }).stream()
const streamed = (deltas: readonly JsonObject[], finish?: string, body?: JsonObject) =>
  collect(readAll(reader(body), [chatStream(deltas, finish)]))
const piece = (index: number, args: string, head: JsonObject = {}) => ({
  tool_calls: [
    { index, ...head, function: { arguments: args, ...(head['id'] ? { name: `tool_${index}` } : {}) } },
  ],
})
const used = (id: string, index: number, input: unknown) => ({
  type: 'tool_use',
  id,
  name: `tool_${index}`,
  input,
  caller: { type: 'direct' },
})

const everything = [
  { role: 'assistant', content: '' },
  { reasoning_content: 'hm… ', reasoning: 'hm… ' },
  { reasoning_content: '🤔', reasoning: '🤔' },
  { content: 'Grüße ' },
  { content: '😀' },
  {
    annotations: [
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.b', title: 'A', start_index: 0, end_index: 5 },
      },
    ],
  },
  piece(0, '', { id: 'a', type: 'function' }),
  piece(0, '{"city":'),
  piece(0, '"Rome"}'),
  piece(1, '{}', { id: 'b', type: 'function' }),
]
const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } }

test('a stream with every kind of block follows the rules of Messages streams, wherever it is cut', () => {
  const bytes = chatStream(everything, 'tool_calls', usage)
  const whole = readAll(reader(), [bytes])
  const message = collect(whole)
  const [thinking, ...content] = message['content'] as JsonObject[]
  assert.deepEqual([thinking?.['type'], thinking?.['thinking']], ['thinking', 'hm… 🤔'])
  assert.match(String(thinking?.['signature']), /^signalbox\.v1\./)
  assert.deepEqual(content, [
    {
      type: 'text',
      text: 'Grüße 😀',
      citations: [
        {
          type: 'web_search_result_location',
          url: 'https://a.b',
          title: 'A',
          cited_text: 'Grüße',
          encrypted_index: '',
        },
      ],
    },
    used('a', 0, { city: 'Rome' }),
    used('b', 1, {}),
  ])
  assert.deepEqual(
    [message['id'], message['model'], message['stop_reason']],
    ['msg_7', 'own-model', 'tool_use'],
  )
  const counts = message['usage'] as JsonObject
  assert.deepEqual(
    [counts['input_tokens'], counts['cache_read_input_tokens'], counts['output_tokens']],
    [40, 60, 20],
  )
  for (let seed = 1; seed <= 200; seed++) {
    const own = reader()
    assert.equal(readAll(own, cutAnywhere(bytes, randomNumbers(seed))), whole, `seed ${seed}`)
    assert.equal(own.usage?.output, 20)
    assert.match(own.delivered, /hm… 🤔Grüße 😀/)
  }
})

test('calls whose pieces come by turns become blocks that follow each other', () => {
  const pieces = [
    piece(0, '{"a"', { id: 'a' }),
    piece(1, '{"b"', { id: 'b' }),
    piece(0, ':1}'),
    piece(2, '', { id: 'c' }),
    piece(1, ':2}'),
  ]
  const { content } = streamed(pieces, 'tool_calls')
  assert.deepEqual(content, [used('a', 0, { a: 1 }), used('b', 1, { b: 2 }), used('c', 2, {})])
})

test('words that come between the pieces of a call wait for its end, words after a whole call do not', () => {
  const { content } = streamed(
    [piece(0, '{"a"', { id: 'a' }), { content: 'Well' }, piece(0, ':1}')],
    'tool_calls',
  )
  assert.deepEqual(content, [used('a', 0, { a: 1 }), { type: 'text', text: 'Well', citations: null }])
  const own = reader()
  const [call, words] = chatStream([piece(0, '{}', { id: 'a' }), { content: 'Well' }])
    .toString()
    .split('\n\n')
  own.push(Buffer.from(`${call}\n\n`))
  assert.match(String(own.push(Buffer.from(`${words}\n\n`))), /content_block_stop[^]*"text":"Well"/)
})

test('words that waited for a call come before those that follow', () => {
  const { content } = streamed([
    piece(0, '{"a"', { id: 'a' }),
    { content: 'One ' },
    piece(0, ':1}'),
    { content: 'two ' },
    { content: 'three' },
  ])
  assert.deepEqual(content, [
    used('a', 0, { a: 1 }),
    { type: 'text', text: 'One two three', citations: null },
  ])
})

test('a call is written as it comes, and the next one as soon as it is whole', () => {
  const own = reader()
  const bytes = chatStream([piece(0, '{}', { id: 'a' }), piece(1, '{"b"', { id: 'b' })])
    .toString()
    .split('\n\n')
  const first = String(own.push(Buffer.from(`${bytes[0]}\n\n`)))
  assert.match(first, /content_block_start.*"id":"a"/)
  assert.match(first, /"partial_json":"{}"/)
  assert.doesNotMatch(first, /content_block_stop/)
  const second = String(own.push(Buffer.from(`${bytes[1]}\n\n`)))
  assert.match(second, /content_block_stop[^]*"id":"b"[^]*"partial_json":"{\\"b\\""/)
})

test('servers that leave out the index, or repeat id and name, are understood', () => {
  const calls = (...list: object[]) => ({ tool_calls: list })
  const named = { id: 'a', function: { name: 'tool_0', arguments: '{"x":' } }
  const { content } = streamed([
    calls(named),
    calls({ ...named, function: { name: 'tool_0', arguments: '1}' } }),
    calls({ id: 'b', function: { name: 'tool_1', arguments: '{}' } }),
  ])
  assert.deepEqual(content, [used('a', 0, { x: 1 }), used('b', 1, {})])
})

test('thinking between texts and calls is a block of its own, each signed', () => {
  const { content } = streamed([
    { reasoning: 'one' },
    { content: 'A' },
    { reasoning: 'two' },
    { content: 'B' },
    piece(0, '{}', { id: 'a' }),
    { reasoning: 'three' },
    piece(1, '{}', { id: 'b' }),
  ])
  const signatures = (content as JsonObject[]).filter((block) => block['type'] === 'thinking')
  assert.ok(signatures.every((block) => String(block['signature']).startsWith('signalbox.v1.')))
  const kinds = (content as JsonObject[]).map((block) => [block['type'], block['thinking'] ?? block['text']])
  assert.deepEqual(kinds, [
    ['thinking', 'one'],
    ['text', 'A'],
    ['thinking', 'two'],
    ['text', 'B'],
    ['tool_use', undefined],
    ['thinking', 'three'],
    ['tool_use', undefined],
  ])
})

test('a client that wants no thoughts to read gets none', () => {
  const hidden = { thinking: { type: 'adaptive', display: 'omitted' } }
  const { content } = streamed([{ reasoning: 'one' }, { content: 'A' }], 'stop', hidden)
  assert.deepEqual(content, [{ type: 'text', text: 'A', citations: null }])
})

test('a refusal, a limit and an empty response end as they should', () => {
  const refused = streamed([{ refusal: 'I will ' }, { refusal: 'not.' }])
  assert.deepEqual(refused['stop_details'], { type: 'refusal', category: null, explanation: 'I will not.' })
  assert.deepEqual(refused['content'], [{ type: 'text', text: 'I will not.', citations: null }])
  assert.equal(streamed([{ content: 'A' }], 'length')['stop_reason'], 'max_tokens')
  assert.deepEqual([streamed([])['content'], streamed([])['stop_reason']], [[], 'end_turn'])
})

test('an error inside the stream, and an end that comes too early, are faults', () => {
  const start =
    chatStream([{ content: 'A' }])
      .toString()
      .split('\n\n')[0] ?? ''
  const failing = reader()
  const error = 'data: {"error":{"message":"broken","code":429}}\n\n'
  assert.match(String(failing.push(Buffer.from(`${start}\n\n${error}`))), /"text":"A"/)
  assert.equal(faultOf(() => failing.end()).status, 429)
  const cut = reader()
  cut.push(Buffer.from(`${start}\n\n`))
  assert.match(faultOf(() => cut.end()).message, /before the response was complete/)
  assert.equal(cut.delivered, 'A')
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const frames = chatStream([...everything, { content: 'Well' }, piece(1, ' ')])
    .toString()
    .split('\n\n')
  const events = frames.slice(0, -2).map((each) => `${each}\n\n`)
  const error = 'data: {"error":{"message":"broken","code":429}}\n\n'
  breaksAnywhere({ reader, events, error, message: 'broken' })
})
