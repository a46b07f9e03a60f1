import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestOf } from '../../passthrough/testing.ts'
import { perplexity } from './index.ts'

const hello = [{ role: 'user', content: 'Hello' }]
const look = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }
const flatLook = {
  type: 'function',
  name: 'look',
  parameters: { type: 'object', properties: {} },
  strict: false,
}

function sent(body: object): Record<string, unknown> {
  const exchange = perplexity.chat(requestOf({ model: 'sonar', messages: hello, ...body }))
  assert.equal(exchange.path, '/v1/agent')
  return JSON.parse(Buffer.from(exchange.body).toString()) as Record<string, unknown>
}

test('the old tiers become presets that keep Perplexity’s own model', () => {
  const chosen = (model: string) => {
    const { model: upstream, preset, tools } = sent({ model })
    return [upstream, preset, tools]
  }
  const search = [{ type: 'web_search' }]
  assert.deepEqual(chosen('sonar'), ['perplexity/sonar', undefined, search])
  assert.deepEqual(chosen('sonar-pro'), ['perplexity/sonar', 'low', undefined])
  assert.deepEqual(chosen('sonar-reasoning'), ['perplexity/sonar', 'medium', undefined])
  assert.deepEqual(chosen('sonar-reasoning-pro'), ['perplexity/sonar', 'medium', undefined])
  assert.deepEqual(chosen('sonar-deep-research'), ['perplexity/sonar', 'high', undefined])
  assert.deepEqual(chosen('sonar-unheard-of'), ['perplexity/sonar-unheard-of', undefined, search])
})

test('a whole conversation is translated item by item', () => {
  const body = {
    model: 'sonar-pro',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'look', arguments: '{}' },
            extra_content: { google: { thought_signature: 'sig' } },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: 'A cat.', refusal: null },
      { role: 'user', content: 'Sure?' },
    ],
    tools: [look],
    tool_choice: 'auto',
    max_completion_tokens: 50,
    max_tokens: 60,
    temperature: 0.5,
    top_p: 0.9,
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
    reasoning_effort: 'max',
    language_preference: 'de',
    stream: true,
  }
  assert.deepEqual(sent(body), {
    model: 'perplexity/sonar',
    preset: 'low',
    input: [
      { type: 'message', role: 'system', content: 'Be brief.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}', thought_signature: 'sig' },
      { type: 'function_call_output', call_id: 'c1', name: 'look', output: 'a\nb', thought_signature: 'sig' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A cat.' }] },
      { type: 'message', role: 'user', content: 'Sure?' },
    ],
    tools: [{ type: 'web_search' }, flatLook],
    max_output_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
    reasoning: { effort: 'xhigh' },
    language_preference: 'de',
    stream: true,
  })
})

test('search settings of both old forms reach the search tool', () => {
  const { tools } = sent({
    web_search_options: {
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: { country: 'DE', city: 'Ulm' } },
    },
    search_domain_filter: ['example.com'],
    search_recency_filter: 'week',
    search_after_date_filter: '1/1/2026',
  })
  assert.deepEqual(tools, [
    {
      type: 'web_search',
      search_context_size: 'high',
      filters: {
        search_domain_filter: ['example.com'],
        search_recency_filter: 'week',
        search_after_date_filter: '1/1/2026',
      },
      user_location: { country: 'DE', city: 'Ulm' },
    },
  ])
  assert.deepEqual(sent({ web_search_options: { user_location: { country: 'DE' } } })['tools'], [
    { type: 'web_search', user_location: { country: 'DE' } },
  ])
  assert.equal(sent({ disable_search: true })['tools'], undefined)
})

test('a choice of tools is honoured where it can be and refused where it cannot', () => {
  assert.deepEqual(sent({ tools: [look], tool_choice: 'none' })['tools'], [{ type: 'web_search' }])
  const other = { type: 'function', function: { name: 'other' } }
  const allowed = {
    type: 'allowed_tools',
    allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'look' } }] },
  }
  assert.deepEqual(sent({ tools: [look, other], tool_choice: allowed })['tools'], [
    { type: 'web_search' },
    flatLook,
  ])
  for (const choice of ['required', { type: 'function', function: { name: 'look' } }]) {
    assert.throws(() => sent({ tools: [look], tool_choice: choice }), { status: 400, param: 'tool_choice' })
  }
})

test('what changes nothing is left out and told', () => {
  const body = {
    seed: 1,
    user: 'u',
    metadata: { a: { b: 1 } },
    store: true,
    top_k: 3,
    presence_penalty: 1,
    parallel_tool_calls: false,
    brand_new: 1,
    verbosity: null,
    stop: null,
    n: 1,
  }
  const messages = [{ role: 'user', content: 'Hello', name: 'ann' }]
  const { dropped } = perplexity.chat(requestOf({ model: 'sonar', messages, ...body }))
  assert.deepEqual(dropped, [
    'seed',
    'user',
    'metadata',
    'store',
    'top_k',
    'presence_penalty',
    'parallel_tool_calls',
    'brand_new',
    'messages.name',
  ])
  assert.deepEqual(Object.keys(sent(body)), ['model', 'input', 'tools'])
})

test('what cannot be honoured, and wrong types, are refused with the path of the field', () => {
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const cases: [object, string][] = [
    [{ n: 2 }, 'n'],
    [{ stop: 'x' }, 'stop'],
    [{ logprobs: true }, 'logprobs'],
    [{ modalities: ['audio'] }, 'modalities'],
    [{ functions: [{ name: 'f' }] }, 'functions'],
    [{ return_images: true }, 'return_images'],
    [{ return_related_questions: true }, 'return_related_questions'],
    [{ search_mode: 'academic' }, 'search_mode'],
    [{ model: 'sonar-pro', disable_search: true }, 'disable_search'],
    [{ response_format: { type: 'json_object' } }, 'response_format.type'],
    [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools.0.type'],
    [{ search_domain_filter: 'example.com' }, 'search_domain_filter'],
    [{ web_search_options: { user_location: 'DE' } }, 'web_search_options.user_location'],
    [{ temperature: 'hot' }, 'temperature'],
    [{ reasoning: 5 }, 'reasoning'],
    [{ messages: [null] }, 'messages.0'],
    [user([{ type: 'file', file: { file_data: 'x' } }]), 'messages.0.content.0'],
    [user([{ type: 'input_audio', input_audio: {} }]), 'messages.0.content.0'],
    [user([{ type: 'image_url', image_url: 'x' }]), 'messages.0.content.0.image_url'],
    [
      {
        messages: [
          { role: 'tool', tool_call_id: 'c', content: [{ type: 'image_url', image_url: { url: 'x' } }] },
        ],
      },
      'messages.0.content.0',
    ],
  ]
  for (const [body, param] of cases) {
    assert.throws(
      () => sent(body),
      { name: 'Fault', status: 400, param },
      `${param}: ${JSON.stringify(body)}`,
    )
  }
})
