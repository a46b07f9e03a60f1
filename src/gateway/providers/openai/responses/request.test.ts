import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatRequest } from '../../../provider.ts'
import { requestOf } from '../../../passthrough/testing.ts'
import { needsResponses } from '../family.ts'
import { openai } from '../index.ts'

const look = {
  type: 'function',
  function: { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } },
}
const hello = [{ role: 'user', content: 'Hello' }]

function sent(body: object): Record<string, unknown> {
  const exchange = openai.chat(requestOf(body))
  assert.equal(exchange.path, '/responses')
  return JSON.parse(Buffer.from(exchange.body).toString()) as Record<string, unknown>
}

test('the bridge is taken exactly by models and requests that Chat Completions refuses', () => {
  const asks = (model: string, more: object = {}): ChatRequest =>
    requestOf({ model, messages: hello, ...more })
  const bridged: [string, object?][] = [
    ['o1-pro'],
    ['o3-pro-2025-06-10'],
    ['gpt-5-pro'],
    ['gpt-5.5-pro'],
    ['gpt-5.3-codex'],
    ['gpt-5.1-codex-max'],
    ['codex-mini-latest'],
    ['o3-deep-research'],
    ['gpt-5.4', { tools: [look], reasoning_effort: 'low' }],
    ['gpt-5.4', { tools: [look], reasoning: { effort: 'low' } }],
    ['gpt-5.6-sol', { tools: [look] }],
    ['gpt-6-astra', { tools: [look] }],
    ['gpt-6.1-terra', { tools: [look], reasoning_effort: 'high' }],
    ['gpt-5.10', { tools: [look] }],
  ]
  for (const [model, more] of bridged)
    assert.equal(needsResponses(asks(model, more)), true, `${model} ${JSON.stringify(more)}`)
  const passed: [string, object?][] = [
    ['gpt-4.1', { tools: [look] }],
    ['gpt-5.1', { tools: [look], reasoning_effort: 'high' }],
    ['o3', { tools: [look] }],
    ['gpt-5.4', { tools: [look] }],
    ['gpt-5.4', { tools: [look], reasoning_effort: 'none' }],
    ['gpt-6-sol', { tools: [look], reasoning_effort: 'none' }],
    ['gpt-6-sol'],
    ['gpt-6-sol', { tools: [] }],
    ['gpt-6-sol', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
    ['chat-latest', { tools: [look] }],
  ]
  for (const [model, more] of passed)
    assert.equal(needsResponses(asks(model, more)), false, `${model} ${JSON.stringify(more)}`)
})

test('a whole conversation is translated item by item', () => {
  const body = {
    model: 'gpt-6-sol',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I will look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } },
          { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{"at":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a cat' },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'a dog' }] },
      { role: 'assistant', content: null, refusal: 'I would rather not.', tool_calls: [] },
      { role: 'user', content: 'Go on.' },
    ],
    tools: [look],
    tool_choice: { type: 'function', function: { name: 'look' } },
    parallel_tool_calls: true,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'animal', schema: { type: 'object' }, strict: false },
    },
    max_tokens: 100,
    reasoning_effort: 'high',
    verbosity: 'low',
    temperature: 1,
    user: 'u1',
    safety_identifier: 's1',
    prompt_cache_key: 'p1',
    service_tier: 'flex',
    metadata: { team: 'a' },
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: false },
  }
  assert.deepEqual(sent(body), {
    parallel_tool_calls: true,
    temperature: 1,
    user: 'u1',
    safety_identifier: 's1',
    prompt_cache_key: 'p1',
    service_tier: 'flex',
    model: 'gpt-6-sol',
    input: [
      { type: 'message', role: 'system', content: 'Be brief.' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' },
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I will look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":"a"}' },
      { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '{"at":"b"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'a cat' },
      { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'a dog' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I would rather not.' }] },
      { type: 'message', role: 'user', content: 'Go on.' },
    ],
    tools: [
      {
        type: 'function',
        name: 'look',
        description: 'Looks',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    tool_choice: { type: 'function', name: 'look' },
    text: {
      format: { type: 'json_schema', name: 'animal', schema: { type: 'object' }, strict: false },
      verbosity: 'low',
    },
    max_output_tokens: 100,
    reasoning: { effort: 'high', summary: 'auto' },
    stream: true,
    stream_options: { include_obfuscation: false },
    store: false,
    include: ['reasoning.encrypted_content'],
  })
})

test('custom tools, allowed tools and web search find their counterparts', () => {
  const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } }
  const translated = sent({
    model: 'gpt-6-sol',
    messages: [
      ...hello,
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'run', input: 'ls' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'files' },
    ],
    tools: [look, { type: 'custom', custom: { name: 'run', description: 'Runs', format: grammar } }],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'look' } }] },
    },
    web_search_options: {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { country: 'DE' } },
    },
  })
  assert.deepEqual(translated['input'], [
    { type: 'message', role: 'user', content: 'Hello' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'run', input: 'ls' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'files' },
  ])
  assert.deepEqual((translated['tools'] as unknown[]).slice(1), [
    {
      type: 'custom',
      name: 'run',
      description: 'Runs',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
    },
    { type: 'web_search', search_context_size: 'low', user_location: { type: 'approximate', country: 'DE' } },
  ])
  assert.deepEqual(translated['tool_choice'], {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [{ type: 'function', name: 'look' }],
  })
})

test('reasoning goes back whole, also when a client returns every streamed piece separately', () => {
  const own = { id: 'rs_1', format: 'openai-responses-v1' }
  const details = [
    { type: 'reasoning.summary', summary: 'First ', ...own, index: 0 },
    { type: 'reasoning.summary', summary: 'thought', index: 0 },
    { type: 'reasoning.summary', summary: 'Second', ...own, index: 1 },
    { type: 'reasoning.encrypted', data: 'sealed', ...own, index: 2 },
    {
      type: 'reasoning.summary',
      summary: 'never encrypted',
      id: 'rs_2',
      format: 'openai-responses-v1',
      index: 3,
    },
    {
      type: 'reasoning.text',
      text: 'of another maker',
      signature: 's',
      format: 'anthropic-claude-v1',
      index: 0,
    },
    { type: 'reasoning.encrypted', data: 'of another maker', format: 'anthropic-claude-v1', index: 1 },
  ]
  const messages = [
    ...hello,
    { role: 'assistant', content: 'Hi', reasoning_content: 'lost', reasoning_details: details },
    ...hello,
  ]
  assert.deepEqual((sent({ model: 'gpt-5.5-pro', messages })['input'] as unknown[])[1], {
    type: 'reasoning',
    id: 'rs_1',
    summary: [
      { type: 'summary_text', text: 'First thought' },
      { type: 'summary_text', text: 'Second' },
    ],
    encrypted_content: 'sealed',
  })
})

test('what changes nothing is left out and told; what is unknown is for OpenAI to judge', () => {
  const exchange = openai.chat(
    requestOf({
      model: 'gpt-5.5-pro',
      messages: [{ role: 'user', content: 'Hello', name: 'ann' }],
      seed: 1,
      store: true,
      prediction: { type: 'content', content: 'x' },
      metadata: { nested: {} },
      n: 1,
      stop: null,
      presence_penalty: 0,
      logit_bias: {},
      logprobs: false,
      modalities: ['text'],
      truncation: 'auto',
    }),
  )
  assert.deepEqual(exchange.dropped, ['seed', 'prediction', 'store', 'metadata', 'messages.name'])
  assert.deepEqual(JSON.parse(Buffer.from(exchange.body).toString()), {
    truncation: 'auto',
    model: 'gpt-5.5-pro',
    input: [{ type: 'message', role: 'user', content: 'Hello' }],
    reasoning: { summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
  })
})
