import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../wire/json.ts'
import { readBody } from '../../request/body.ts'
import { messages } from './index.ts'
import { ask, chatOf } from './testing.ts'

const user = { role: 'user', content: 'Hello' }
const weather = {
  name: 'weather',
  description: 'The weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const pixel = 'iVBORw0KGgo='

test('a plain request becomes a chat request and nothing more', () => {
  assert.deepEqual(chatOf({}), { model: 'own-model', messages: [user], max_tokens: 100 })
})

test('a stream asks for usage', () => {
  const { stream, stream_options: options } = chatOf({ stream: true })
  assert.deepEqual([stream, options], [true, { include_usage: true }])
})

test('the system prompt comes first, as text or as blocks, and may come again later', () => {
  const blocks = [
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Be kind.' },
  ]
  assert.deepEqual(chatOf({ system: 'Be brief.' })['messages'], [
    { role: 'system', content: 'Be brief.' },
    user,
  ])
  const later = { role: 'system', content: 'Be quick.' }
  assert.deepEqual(chatOf({ system: blocks, messages: [user, later, user] })['messages'], [
    { role: 'system', content: 'Be brief.\n\nBe kind.' },
    user,
    later,
    user,
  ])
})

test('pictures, documents and search results reach the model', () => {
  const content = [
    { type: 'text', text: 'See' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
    { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
    {
      type: 'document',
      title: 'Terms',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
    },
    { type: 'document', source: { type: 'url', url: 'https://a.example/c.pdf' } },
    {
      type: 'document',
      title: 'Note',
      context: 'of May',
      source: { type: 'text', media_type: 'text/plain', data: 'Words' },
    },
    { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Inside' }] } },
    {
      type: 'search_result',
      title: 'Page',
      source: 'https://a.example',
      content: [{ type: 'text', text: 'Found' }],
    },
  ]
  assert.deepEqual(chatOf({ messages: [{ role: 'user', content }] })['messages'], [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        { type: 'file', file: { filename: 'Terms.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        { type: 'file', file: { filename: 'document.pdf', file_data: 'https://a.example/c.pdf' } },
        { type: 'text', text: 'Note\n\nof May\n\nWords' },
        { type: 'text', text: 'Inside' },
        { type: 'text', text: 'Page\nhttps://a.example' },
        { type: 'text', text: 'Found' },
      ],
    },
  ])
})

test('calls and their results keep their ids; results come first, failures and pictures are described in words', () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: { city: 'Rome' } })
  const assistant = {
    role: 'assistant',
    content: [{ type: 'text', text: 'Looking.' }, call('a'), call('b'), call('c')],
  }
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
  const results = [
    { type: 'text', text: 'Here they are' },
    { type: 'tool_result', tool_use_id: 'a', content: 'sunny' },
    {
      type: 'tool_result',
      tool_use_id: 'b',
      content: [{ type: 'text', text: 'no such city' }],
      is_error: true,
    },
    { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'a chart' }, image] },
  ]
  const chat = chatOf({ tools: [weather], messages: [user, assistant, { role: 'user', content: results }] })
  const called = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Rome"}' },
  })
  assert.deepEqual(chat['messages'], [
    user,
    { role: 'assistant', content: 'Looking.', tool_calls: [called('a'), called('b'), called('c')] },
    { role: 'tool', tool_call_id: 'a', content: 'sunny' },
    { role: 'tool', tool_call_id: 'b', content: 'Error: no such city' },
    {
      role: 'tool',
      tool_call_id: 'c',
      content: 'a chart\n(The rest of the result follows in the next message.)',
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Here they are' },
        { type: 'text', text: 'From the result of the tool call c:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
      ],
    },
  ])
})

test('results that are spread over several messages still follow their calls', () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id })
  const chat = chatOf({
    messages: [
      user,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a'), { type: 'text', text: 'Go on' }] },
      { role: 'user', content: [result('b')] },
    ],
  })
  const order = (chat['messages'] as JsonObject[]).map(
    (message) => message['tool_call_id'] ?? message['role'],
  )
  assert.deepEqual(order, ['user', 'assistant', 'a', 'b', 'user'])
})

test('tools and the choice among them', () => {
  const offered = { tools: [{ ...weather, type: 'custom', cache_control: { type: 'ephemeral' } }] }
  const target = { name: 'weather', description: 'The weather', parameters: weather.input_schema }
  assert.deepEqual(chatOf(offered)['tools'], [{ type: 'function', function: target }])
  const choice = (given: object) => {
    const { tool_choice: chosen, parallel_tool_calls: parallel } = chatOf({ ...offered, tool_choice: given })
    return [chosen, parallel]
  }
  assert.deepEqual(choice({ type: 'auto' }), ['auto', undefined])
  assert.deepEqual(choice({ type: 'any', disable_parallel_tool_use: true }), ['required', false])
  assert.deepEqual(choice({ type: 'none' }), ['none', undefined])
  assert.deepEqual(choice({ type: 'tool', name: 'weather' }), [
    { type: 'function', function: { name: 'weather' } },
    undefined,
  ])
})

test('strictness is asked for only where a chat schema can be strict', () => {
  const closed = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  }
  const open = { ...closed, required: [] }
  const strict = (schema: object) => {
    const { tools, response_format: format } = chatOf({
      tools: [{ name: 'a', input_schema: schema, strict: true }],
      output_config: { format: { type: 'json_schema', schema } },
    })
    return JSON.stringify([tools, format]).match(/"strict":(true|false)/g)
  }
  assert.deepEqual(strict(closed), ['"strict":true', '"strict":true'])
  assert.deepEqual(strict(open), ['"strict":false'])
  const { dropped } = ask({ output_format: { type: 'json_schema', schema: open } })
  assert.deepEqual(dropped, ['output_format.strict'])
})

test('how much to think becomes an effort', () => {
  const effort = (body: object) => chatOf({ ...body })['reasoning_effort']
  const enabled = (budget: number) => effort({ thinking: { type: 'enabled', budget_tokens: budget } })
  assert.deepEqual([enabled(1024), enabled(16_384), enabled(31_999)], ['low', 'medium', 'high'])
  assert.equal(effort({ thinking: { type: 'adaptive' } }), undefined)
  assert.equal(effort({ thinking: { type: 'adaptive', display: 'summarized' } }), 'medium')
  assert.equal(effort({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }), 'max')
  assert.equal(effort({ thinking: { type: 'disabled' } }), 'none')
  assert.equal(effort({ output_config: { effort: 'low' } }), 'low')
})

test('sampling, stop texts and tier are carried over', () => {
  const chat = chatOf({
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ['HALT'],
    service_tier: 'standard_only',
  })
  const { temperature, top_p: topP, top_k: topK, stop, service_tier: tier } = chat
  assert.deepEqual([temperature, topP, topK, stop, tier], [0.5, 0.9, 40, ['HALT'], 'default'])
})

test('names too long for chat tools are shortened and come back as they were', () => {
  const name = `mcp__${'a-long-server-name'.repeat(3)}__read_the_document`
  const body = { tools: [{ ...weather, name }], tool_choice: { type: 'tool', name } }
  const chat = chatOf(body)
  const [short] = /mcp__\w[\w-]*/.exec(JSON.stringify(chat['tools'])) ?? []
  assert.ok(short !== undefined && short.length <= 64 && name.length > 64, short)
  assert.deepEqual(chat['tool_choice'], { type: 'function', function: { name: short } })
  const completion = {
    choices: [
      {
        message: { tool_calls: [{ id: 'a', function: { name: short, arguments: '{}' } }] },
        finish_reason: 'stop',
      },
    ],
  }
  const response = ask(body).response(Buffer.from(JSON.stringify(completion)))
  assert.match(String(response.body), new RegExp(`"name":"${name}"`))
})

test('a request is labelled with who stays the same, not with the session', () => {
  const labelOf = (id: unknown) => {
    const body = { model: 'm', messages: [user], metadata: { user_id: id } }
    return messages.read(readBody(Buffer.from(JSON.stringify(body))), {}).userLabel
  }
  const named = { device_id: 'laptop', account_uuid: '', session_id: 'now' }
  assert.equal(labelOf(JSON.stringify(named)), 'laptop')
  assert.equal(labelOf(JSON.stringify({ ...named, account_uuid: 'ann' })), 'ann')
  assert.equal(labelOf('ann'), 'ann')
  assert.equal(labelOf('{"half'), '{"half')
  assert.equal(labelOf('{}'), '{}')
  assert.equal(labelOf('x'.repeat(300)), 'x'.repeat(256))
  assert.equal(labelOf(5), null)
})
