import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeOf, upstreamOf } from '../../chat/testing.ts'
import { anthropic } from './index.ts'

const model = 'claude-haiku-5-5'
const hello = [{ role: 'user', content: 'hello' }]
const helloBlocks = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]
const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }
const call = (id: string, name: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

const upstream = (body: object) => upstreamOf(anthropic, { model, messages: hello, ...body })
const dropped = (body: object) => exchangeOf(anthropic, { model, messages: hello, ...body }).dropped

test('the smallest request gets the limit that Anthropic demands and nothing else', () => {
  const exchange = exchangeOf(anthropic, { model, messages: hello })
  assert.equal(exchange.path, '/v1/messages')
  assert.deepEqual(JSON.parse(String(exchange.body)), { model, max_tokens: 128_000, messages: helloBlocks })
  assert.deepEqual(exchange.dropped, [])
  assert.equal(upstream({ model: 'claude-sonnet-4-5-20250929' })['max_tokens'], 64_000)
})

test('the key travels in the header that Anthropic reads, with the version', () => {
  const expected = { headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' } }
  assert.deepEqual(anthropic.credentials('k'), expected)
})

test('every parameter with a counterpart is translated', () => {
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 5,
    max_completion_tokens: 100,
    temperature: 0.5,
    top_k: 40,
    stop: ['END', '\n'],
    user: 'user-17',
    service_tier: 'default',
    stream: true,
    stream_options: { include_usage: true },
    metadata: { ticket: '1' },
    cache_control: { type: 'ephemeral' },
    seed: 7,
    presence_penalty: 0,
    frequency_penalty: 1,
    logit_bias: {},
    verbosity: 'low',
    unheard_of: true,
    logprobs: false,
    n: 1,
    tools: null,
  }
  assert.deepEqual(upstream(body), {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: helloBlocks,
    temperature: 0.5,
    top_k: 40,
    stop_sequences: ['END'],
    metadata: { user_id: 'user-17' },
    service_tier: 'standard_only',
    cache_control: { type: 'ephemeral' },
    stream: true,
  })
  assert.deepEqual(dropped(body), ['stop', 'seed', 'frequency_penalty', 'verbosity', 'unheard_of'])
})

test('a prompt that will come again is cached, unless the client says itself what is', () => {
  const mark = { type: 'ephemeral' }
  assert.deepEqual(upstream({ prompt_cache_key: 'a' })['cache_control'], mark)
  assert.deepEqual(dropped({ prompt_cache_key: 'a', prompt_cache_retention: 'in_memory' }), [])
  assert.deepEqual(upstream({ prompt_cache_retention: '24h' })['cache_control'], { ...mark, ttl: '1h' })
  const own = { ...mark, ttl: '5m' }
  assert.deepEqual(upstream({ prompt_cache_key: 'a', cache_control: own })['cache_control'], own)
  const content = [{ type: 'text', text: 'Hello', cache_control: mark }]
  const messages = [{ role: 'user', content }]
  assert.equal(upstream({ prompt_cache_key: 'a', messages })['cache_control'], undefined)
  assert.equal(upstream({ prompt_cache_key: '' })['cache_control'], undefined)
})

test('a person’s address or number is never sent as the user', () => {
  for (const user of ['someone@example.com', '+49 170 1234567']) {
    assert.equal(upstream({ user })['metadata'], undefined)
    assert.deepEqual(dropped({ user }), ['user'])
  }
})

test('a field name that could break a header is not reported', () => {
  assert.deepEqual(dropped({ 'x\r\nset-cookie': 1 }), [])
})

test('instructions at the head become system blocks, later ones stay where the model takes them', () => {
  const messages = [
    { role: 'system', content: 'be kind' },
    {
      role: 'developer',
      content: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }],
    },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'system', content: 'now shout' },
    { role: 'user', content: 'three' },
  ]
  const system = [
    { type: 'text', text: 'be kind' },
    { type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } },
  ]
  const [one, two, three] = ['one', 'two', 'three'].map((text) => [{ type: 'text', text }])
  const shout = { type: 'text', text: 'now shout' }
  const native = upstream({ messages })
  assert.deepEqual(native['system'], system)
  assert.deepEqual(native['messages'], [
    { role: 'user', content: one },
    { role: 'assistant', content: two },
    { role: 'user', content: three },
    { role: 'system', content: [shout] },
  ])
  const hoisted = upstream({ model: 'claude-sonnet-5', messages })
  assert.deepEqual(hoisted['system'], [...system, shout])
})

test('an instruction after the last answer is said by the user where no user turn follows', () => {
  const messages = [...hello, { role: 'assistant', content: 'yes' }, { role: 'system', content: 'go on' }]
  assert.deepEqual((upstream({ messages })['messages'] as unknown[]).at(-1), {
    role: 'user',
    content: [{ type: 'text', text: 'go on' }],
  })
})

test('parallel tool results become one user turn, in the order of the calls, before any text', () => {
  const messages = [
    { role: 'user', content: 'weather?', name: 'ann' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        call('a', 'get_weather', '{"city":"Rome"}'),
        call('b', 'get_weather', ''),
        call('c.1', 'get_weather'),
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'c.1',
      content: [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'y' },
      ],
    },
    { role: 'user', content: 'and hurry' },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'tool', tool_call_id: 'a', content: 'sunny', cache_control: { type: 'ephemeral' } },
  ]
  const translated = upstream({ messages, tools: [weather] })
  assert.deepEqual(translated['messages'], [
    { role: 'user', content: [{ type: 'text', text: 'weather?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'get_weather', input: { city: 'Rome' } },
        { type: 'tool_use', id: 'b', name: 'get_weather', input: {} },
        { type: 'tool_use', id: 'c_2e_1', name: 'get_weather', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'sunny', cache_control: { type: 'ephemeral' } },
        { type: 'tool_result', tool_use_id: 'b' },
        {
          type: 'tool_result',
          tool_use_id: 'c_2e_1',
          content: [
            { type: 'text', text: 'x' },
            { type: 'text', text: 'y' },
          ],
        },
        { type: 'text', text: 'and hurry' },
      ],
    },
  ])
  assert.deepEqual(dropped({ messages, tools: [weather] }), ['messages.name'])
})

test('a history with calls but without tools gets tools that cannot be called', () => {
  const messages = [
    ...hello,
    { role: 'assistant', tool_calls: [call('a', 'look up')] },
    { role: 'tool', tool_call_id: 'a', content: 'found' },
  ]
  const { tools, tool_choice } = upstream({ messages })
  assert.deepEqual(tools, [{ name: 'look_up', input_schema: { type: 'object' } }])
  assert.deepEqual(tool_choice, { type: 'none' })
})

test('images and files reach the model in the form it reads', () => {
  const url = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'high' } })
  const file = (filename: string, file_data: string) => ({ type: 'file', file: { filename, file_data } })
  const content = [
    url('data:image/jpg;charset=x;base64,QUJD\nRA=='),
    url('https://example.com/cat.png?size=1'),
    file('report.pdf', 'data:application/pdf;base64,JVBERg=='),
    file('notes.txt', Buffer.from('grüße').toString('base64')),
    { type: 'text', text: '  ' },
  ]
  const translated = upstream({ messages: [{ role: 'user', content }] })
  const base64 = (media_type: string, data: string) => ({ type: 'base64', media_type, data })
  assert.deepEqual(translated['messages'], [
    {
      role: 'user',
      content: [
        { type: 'image', source: base64('image/jpeg', 'QUJDRA==') },
        { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png?size=1' } },
        { type: 'document', source: base64('application/pdf', 'JVBERg=='), title: 'report.pdf' },
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'grüße' },
          title: 'notes.txt',
        },
      ],
    },
  ])
})
