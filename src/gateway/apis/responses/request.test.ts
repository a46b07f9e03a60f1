import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anthropic } from '../../providers/anthropic/index.ts'
import { openrouter } from '../../providers/openrouter/index.ts'
import type { Provider } from '../../provider.ts'
import { chatFor, exchangeOf } from './testing.ts'

const messagesFor = (body: object) => chatFor(body)['messages']

test('a text is a user message, and instructions come before it', () => {
  assert.deepEqual(chatFor({}), { model: 'acme-1', messages: [{ role: 'user', content: 'Hello' }] })
  assert.deepEqual(messagesFor({ instructions: 'Be brief' }), [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'Hello' },
  ])
})

test('messages keep their roles and parts, with or without a type', () => {
  const input = [
    { role: 'developer', content: 'Rules' },
    { role: 'system', content: [{ type: 'input_text', text: 'More' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
        { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
        { type: 'input_image', image_url: 'https://a.example/c.png', detail: 'original' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
        { type: 'input_file', file_url: 'https://a.example/d.pdf' },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      ],
    },
    { role: 'assistant', content: 'Seen' },
    { role: 'user', content: 'Good' },
  ]
  assert.deepEqual(messagesFor({ input }), [
    { role: 'system', content: 'Rules' },
    { role: 'system', content: [{ type: 'text', text: 'More' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://a.example/c.png', detail: 'high' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
        { type: 'file', file: { file_data: 'https://a.example/d.pdf' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      ],
    },
    { role: 'assistant', content: 'Seen' },
    { role: 'user', content: 'Good' },
  ])
})

test('what a model said in one go is one message, and each result follows it', () => {
  const text = (said: string) => ({ type: 'output_text', text: said, annotations: [], logprobs: [] })
  const input = [
    { role: 'user', content: 'Weather?' },
    { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [text('I look')] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Ulm"}' },
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'note', input: 'say "hi"' },
    { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
    {
      type: 'custom_tool_call_output',
      call_id: 'call_2',
      output: [
        { type: 'input_text', text: 'noted' },
        { type: 'input_text', text: 'twice' },
      ],
    },
    { role: 'assistant', content: [text('It'), { type: 'refusal', refusal: 'No' }] },
  ]
  assert.deepEqual(messagesFor({ input }), [
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: 'I look',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } },
        { id: 'call_2', type: 'function', function: { name: 'note', arguments: '{"input":"say \\"hi\\""}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    { role: 'tool', tool_call_id: 'call_2', content: 'noted\ntwice' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'It' },
        { type: 'text', text: 'No' },
      ],
    },
  ])
})

test('results follow their calls, whatever came between', () => {
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'a', arguments: '{}' })
  const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: `of ${id}` })
  const input = [
    call('call_1'),
    call('call_2'),
    { role: 'user', content: 'Hurry' },
    result('call_2'),
    result('call_1'),
    result('unknown'),
  ]
  const sent = (messagesFor({ input }) as Record<string, unknown>[]).map(
    (message) => message['tool_call_id'] ?? message['role'],
  )
  assert.deepEqual(sent, ['assistant', 'call_2', 'call_1', 'user', 'unknown'])
})

test('the images of results follow them all, because a tool message in Chat Completions holds text only', () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' }
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'draw', arguments: '{}' })
  const result = (id: string, ...output: object[]) => ({ type: 'function_call_output', call_id: id, output })
  const text = { type: 'input_text', text: 'done' }
  const input = [call('call_1'), call('call_2'), result('call_1', text, image), result('call_2', text, text)]
  assert.deepEqual((messagesFor({ input }) as unknown[]).slice(1), [
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'done\n(The rest of the result follows in the next message.)',
    },
    { role: 'tool', tool_call_id: 'call_2', content: 'done\ndone' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'From the result of the tool call call_1:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
    },
  ])
})

test('a cache setting goes to providers that support it, and is named as dropped elsewhere', () => {
  const asked = (model: string, provider?: Provider) => {
    const { body, dropped } = exchangeOf({ model, prompt_cache_key: 'a' }, provider)
    const { cache_control: mark } = JSON.parse(Buffer.from(body).toString()) as { cache_control?: unknown }
    return [mark, dropped]
  }
  assert.deepEqual(asked('claude-sonnet-5-5', anthropic), [{ type: 'ephemeral' }, []])
  assert.deepEqual(asked('openrouter/anthropic/claude-opus-5.5', openrouter), [{ type: 'ephemeral' }, []])
  assert.deepEqual(asked('openrouter/openai/gpt-6-sol', openrouter), [undefined, ['prompt_cache_key']])
  assert.deepEqual(asked('acme-1'), [undefined, ['prompt_cache_key']])
})

test('settings are passed on under the names of chat completions', () => {
  const schema = { type: 'object', properties: {} }
  const asked = chatFor({
    max_output_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    top_logprobs: 3,
    reasoning: { effort: 'high', summary: 'auto' },
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'thing', schema, strict: true } },
    user: 'someone',
    service_tier: 'flex',
    stream: true,
  })
  assert.deepEqual(asked, {
    model: 'acme-1',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    service_tier: 'flex',
    user: 'someone',
    response_format: { type: 'json_schema', json_schema: { name: 'thing', schema, strict: true } },
    verbosity: 'low',
    reasoning_effort: 'high',
    logprobs: true,
    top_logprobs: 3,
  })
  assert.deepEqual(chatFor({ text: { format: { type: 'json_object' } } })['response_format'], {
    type: 'json_object',
  })
  assert.equal(chatFor({ text: { format: { type: 'text' } } })['response_format'], undefined)
  assert.equal(chatFor({ include: ['message.output_text.logprobs'] })['logprobs'], true)
  assert.equal(chatFor({ user: 'a', safety_identifier: 'b' })['user'], 'b')
})

test('a field that is dropped without changing the response is named', () => {
  const droppedFrom = (body: object) => exchangeOf(body).dropped
  const harmless = {
    store: false,
    truncation: 'disabled',
    background: false,
    previous_response_id: null,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'low', summary: 'auto' },
  }
  assert.deepEqual(droppedFrom(harmless), [])
  const dropped = droppedFrom({
    store: true,
    truncation: 'auto',
    prompt_cache_key: 'a',
    max_tool_calls: 3,
    include: ['web_search_call.action.sources'],
    reasoning: { summary: 'detailed' },
    input: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of another service' },
      { type: 'item_reference', id: 'rs_2' },
      { type: 'image_generation_call', id: 'ig_1', result: 'AA==', status: 'completed' },
      { role: 'user', content: 'Hello' },
    ],
    'odd\r\nname': 1,
  })
  assert.deepEqual(dropped.toSorted(), [
    'include',
    'input.image_generation_call',
    'input.reasoning',
    'max_tool_calls',
    'prompt_cache_key',
    'reasoning.summary',
    'store',
    'truncation',
  ])
})
