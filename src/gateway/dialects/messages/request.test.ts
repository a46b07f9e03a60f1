import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from '../../providers/chat/rehearsal.ts'
import { gemini } from '../../providers/gemini/index.ts'
import { openai } from '../../providers/openai/index.ts'
import { perplexity } from '../../providers/perplexity/index.ts'
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

test('calls and their results keep their ids; results come first, failures and pictures are told in words', () => {
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

test('tools and the choice among them', () => {
  const offered = { tools: [{ ...weather, type: 'custom', cache_control: { type: 'ephemeral' } }] }
  const target = { name: 'weather', description: 'The weather', parameters: weather.input_schema }
  assert.deepEqual(chatOf(offered)['tools'], [{ type: 'function', function: target }])
  const choice = (form: object) => {
    const { tool_choice: chosen, parallel_tool_calls: parallel } = chatOf({ ...offered, tool_choice: form })
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

test('what does not change the answer is left out and named', () => {
  const { dropped } = ask({
    system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
    metadata: { user_id: 'someone' },
    thinking: { type: 'between_tools' },
    context_management: { edits: [] },
    speed: 'fast',
    tools: [{ ...weather, input_examples: [{}], eager_input_streaming: true }],
    messages: [
      user,
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'of another maker' }] },
      user,
    ],
  })
  assert.deepEqual(dropped.toSorted(), [
    'cache_control',
    'context_management',
    'messages.content.thinking',
    'metadata',
    'speed',
    'thinking',
    'tools.eager_input_streaming',
    'tools.input_examples',
  ])
})

test('what cannot be honoured is refused, and the field is named', () => {
  const content = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
  const said = (block: object) => ({ messages: [user, { role: 'assistant', content: [block] }, user] })
  const cases: [body: object, param: string][] = [
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: '1' }, 'max_tokens'],
    [{ temperature: 1.5 }, 'temperature'],
    [{ container: 'c' }, 'container'],
    [{ mcp_servers: [{ url: 'x' }] }, 'mcp_servers'],
    [{ inference_geo: 'eu' }, 'inference_geo'],
    [{ tools: [weather, { type: 'web_search_20250305', name: 'web_search' }] }, 'tools.1.type'],
    [{ tools: [{ name: 'a' }] }, 'tools.0.input_schema'],
    [{ tools: [{ ...weather, allowed_callers: ['code_execution_20260120'] }] }, 'tools.0.allowed_callers'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ tools: [weather], tool_choice: { type: 'some' } }, 'tool_choice.type'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ thinking: { type: 'hard' } }, 'thinking.type'],
    [{ output_config: { effort: 'some' } }, 'output_config.effort'],
    [{ output_config: { format: { type: 'text' } } }, 'output_config.format.type'],
    [{ service_tier: 'gold' }, 'service_tier'],
    [{ system: [{ type: 'image', source: { type: 'url', url: 'https://a.example' } }] }, 'system.0'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [user, { role: 'assistant', content: 'I shall' }] }, 'messages.1'],
    [content({ type: 'container_upload', file_id: 'f' }), 'messages.0.content.0.type'],
    [content({ type: 'image', source: { type: 'file', file_id: 'f' } }), 'messages.0.content.0.source.type'],
    [content({ type: 'tool_result', content: 'x' }), 'messages.0.content.0.tool_use_id'],
    [said({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }), 'messages.1.content.0.type'],
    [said({ type: 'tool_use', id: 'a', name: 'weather', input: 'x' }), 'messages.1.content.0.input'],
  ]
  for (const [body, param] of cases) {
    const fault = faultOf(() => ask({ ...body }))
    assert.deepEqual([fault.status, fault.param], [400, param], fault.message)
    assert.ok(fault.message.includes(param), fault.message)
  }
})

test("a provider's refusal of the chat request is told in the names of this form", () => {
  const stopped = faultOf(() => ask({ stop_sequences: ['HALT'] }, perplexity))
  assert.equal(stopped.param, 'stop_sequences')
  assert.match(stopped.message, /^stop_sequences: /)
  const unanswered = [
    user,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] },
    user,
  ]
  const fault = faultOf(() => ask({ system: 'x', tools: [weather], messages: unanswered }, gemini))
  assert.equal(fault.param, 'messages.1')
  assert.match(fault.message, /^messages\.1 has calls/)
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
  const answer = ask(body).answer(Buffer.from(JSON.stringify(completion)))
  assert.match(String(answer.body), new RegExp(`"name":"${name}"`))
})

test('requests that only nest are refused, not fatal', () => {
  const deep = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
  const said = `"max_tokens":1,"messages":[{"role":"user","content":"Hello"}]`
  const raw = `{"model":"gpt-6-sol",${said},"output_config":{"format":{"type":"json_schema","schema":${deep}}}}`
  const request = messages.read(Buffer.from(raw), {})
  const fault = faultOf(() => messages.exchange(openai, request, { perplexityApi: 'agent' }))
  assert.deepEqual([fault.status, fault.message], [400, 'The request is nested too deeply.'])
})
