import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeOf, responseTo } from './testing.ts'

/** The items without their random ids. */
function withoutIds(items: Record<string, unknown>[]) {
  return items.map(({ id, ...item }) => {
    assert.match(String(id), /^(msg|rs|fc|ctc|ig)_[0-9a-f]{32}$/)
    return item
  })
}

const call = (name: string, args: string) => ({
  id: `call_${name}`,
  type: 'function',
  function: { name, arguments: args },
})

test('a response repeats what was asked, under the name that the client used', () => {
  const tools = [{ type: 'function', name: 'a', parameters: {}, strict: false }]
  const asked = {
    tools,
    temperature: 0.5,
    metadata: { team: 'a' },
    instructions: 'Be brief',
    max_output_tokens: 9,
  }
  const {
    id,
    created_at: created,
    completed_at: completed,
    output: _output,
    ...response
  } = responseTo(asked, { content: 'Hi' })
  assert.ok(Number(completed) >= Number(created))
  assert.match(String(id), /^resp_[0-9a-f]{32}$/)
  assert.ok(Math.abs(Number(created) - Date.now() / 1000) < 60)
  assert.deepEqual(response, {
    object: 'response',
    access_programs: null,
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: 'Be brief',
    max_output_tokens: 9,
    frequency_penalty: 0,
    max_tool_calls: null,
    metadata: { team: 'a' },
    model: 'acme-1',
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: false,
    temperature: 0.5,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [{ description: null, ...tools[0] }],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 12,
    },
  })
})

test('text keeps its citations and probabilities', () => {
  const citation = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 }
  const logprob = { token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] }
  const { output } = responseTo(
    {},
    { content: 'Hi', annotations: [{ type: 'url_citation', url_citation: citation }] },
    { logprobs: { content: [logprob] } },
  )
  const annotations = [
    { type: 'url_citation', start_index: 0, end_index: 2, url: 'https://a.example', title: 'A' },
  ]
  const content = [{ type: 'output_text', text: 'Hi', annotations, logprobs: [logprob] }]
  assert.deepEqual(withoutIds(output), [{ type: 'message', status: 'completed', role: 'assistant', content }])
})

test('reasoning, text, images and calls are items in this order', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const { output } = responseTo(
    {
      tools: [
        { type: 'custom', name: 'note' },
        { type: 'function', name: 'weather', parameters: {} },
      ],
    },
    {
      reasoning_content: 'Hm',
      content: 'I look',
      images: [image],
      tool_calls: [call('weather', ''), call('note', '{"input":"as it \\"is\\""}'), call('note', 'no JSON')],
    },
    { finish_reason: 'tool_calls' },
  )
  const custom = { call_id: 'call_note', name: 'note', type: 'custom_tool_call' }
  assert.deepEqual(withoutIds(output), [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
    {
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I look', annotations: [], logprobs: [] }],
    },
    { type: 'image_generation_call', status: 'completed', result: 'AAAA' },
    { status: 'completed', call_id: 'call_weather', name: 'weather', type: 'function_call', arguments: '{}' },
    { ...custom, input: 'as it "is"' },
    { ...custom, input: 'no JSON' },
  ])
})

test('a response that was cut or filtered is incomplete and says why', () => {
  for (const [finish, reason] of [
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ]) {
    const response = responseTo({}, { content: 'Hal' }, { finish_reason: finish })
    assert.deepEqual([response.status, response['incomplete_details']], ['incomplete', { reason }])
    assert.equal(response.output[0]?.['status'], 'incomplete')
  }
  const refused = responseTo({}, { content: null, refusal: 'I will not' })
  assert.deepEqual(refused.output[0]?.['content'], [{ type: 'refusal', refusal: 'I will not' }])
})

test('a response that says nothing is an empty text, one of calls alone has no text', () => {
  const silent = responseTo({}, { content: '' })
  const content = [{ type: 'output_text', text: '', annotations: [], logprobs: [] }]
  assert.deepEqual(withoutIds(silent.output), [
    { type: 'message', status: 'completed', role: 'assistant', content },
  ])
  const calling = responseTo({}, { content: null, tool_calls: [call('a', '{}')] })
  assert.deepEqual(
    calling.output.map((item) => item['type']),
    ['function_call'],
  )
  const parts = responseTo(
    {},
    {
      content: [
        { type: 'text', text: 'Hal' },
        { type: 'text', text: 'lo' },
      ],
    },
  )
  assert.match(JSON.stringify(parts.output), /"text":"Hallo"/)
})

test('a response without choices is a fault of the provider', () => {
  assert.throws(
    () => exchangeOf({}).response(Buffer.from('{"choices":[]}')),
    /Acme sent a response without choices/,
  )
})
