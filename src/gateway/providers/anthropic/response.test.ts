import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOpenAiUsage } from '../../wire/chunk-writer.ts'
import { objectOf, parseJson } from '../../wire/json.ts'
import { exchangeOf, faultOf, messageOf } from '../../chat/testing.ts'
import { anthropic } from './index.ts'

const model = 'claude-opus-5-5'
const request = { model, messages: [{ role: 'user', content: 'hello' }] }
const read = (message: object, body: object = {}) => {
  const answer = exchangeOf(anthropic, { ...request, ...body }).response(Buffer.from(JSON.stringify(message)))
  return { ...answer, json: objectOf(parseJson(String(answer.body))) }
}
const said = (content: object[], more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  content,
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 4 },
  ...more,
})

test('blocks of every kind become one message, told apart by type and not by place', () => {
  const { json } = read(
    said(
      [
        { type: 'thinking', thinking: 'hm', signature: 'sig1' },
        { type: 'text', text: 'Let me ' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'redacted_thinking', data: 'sealed' },
        {
          type: 'text',
          text: 'see.',
          citations: [
            { type: 'web_search_result_location', url: 'https://a.b', title: 'A', cited_text: 'x' },
            { type: 'page_location', document_title: 'no url' },
          ],
        },
        { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { q: 1 } },
        { type: 'thinking', thinking: '', signature: 'sig2' },
        { type: 'tool_use', id: 'toolu_2', name: 'none', input: {} },
        { type: 'yet_unknown', text: 'ignored' },
      ],
      { stop_reason: 'tool_use' },
    ),
    { tools: [{ type: 'function', function: { name: 'look up' } }] },
  )
  assert.equal(json['id'], 'chatcmpl-msg_1')
  assert.equal(json['object'], 'chat.completion')
  assert.equal(json['model'], model)
  const signed = { format: 'anthropic-claude-v1', model }
  assert.deepEqual(json['choices'], [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Let me see.',
        refusal: null,
        reasoning_content: 'hm',
        reasoning: 'hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 'sig1', ...signed, index: 0 },
          // "Let me " is 7 characters long
          { type: 'reasoning.encrypted', data: 'sealed', ...signed, index: 1, text_before: 7 },
          {
            type: 'reasoning.text',
            text: '',
            signature: 'sig2',
            ...signed,
            index: 2,
            text_before: 11,
            calls_before: 1,
          },
        ],
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'look up', arguments: '{"q":1}' } },
          { id: 'toolu_2', type: 'function', function: { name: 'none', arguments: '{}' } },
        ],
        annotations: [
          {
            type: 'url_citation',
            url_citation: { url: 'https://a.b', title: 'A', start_index: 7, end_index: 11 },
          },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ])
})

test('thinking goes back to where it stood between text and calls', () => {
  const { json } = read(
    said([
      { type: 'thinking', thinking: 'one', signature: 's1' },
      { type: 'text', text: 'Hello ' },
      { type: 'thinking', thinking: 'two', signature: 's2' },
      { type: 'tool_use', id: 'a', name: 'x', input: {} },
      { type: 'thinking', thinking: 'three', signature: 's3' },
      { type: 'tool_use', id: 'b', name: 'x', input: {} },
    ]),
  )
  const results = ['a', 'b'].map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'ok' }))
  const messages = [...request.messages, messageOf(json), ...results]
  const body = objectOf(parseJson(String(exchangeOf(anthropic, { model, messages }).body)))
  const turn = (body['messages'] as { content: unknown }[])[1]
  assert.deepEqual(turn?.content, [
    { type: 'thinking', thinking: 'one', signature: 's1' },
    { type: 'text', text: 'Hello ' },
    { type: 'thinking', thinking: 'two', signature: 's2' },
    { type: 'tool_use', id: 'a', name: 'x', input: {} },
    { type: 'thinking', thinking: 'three', signature: 's3' },
    { type: 'tool_use', id: 'b', name: 'x', input: {} },
  ])
})

test('every stop reason has its finish reason, and one yet unknown is a stop', () => {
  const expected = {
    end_turn: 'stop',
    stop_sequence: 'stop',
    pause_turn: 'stop',
    tool_use: 'tool_calls',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    refusal: 'content_filter',
    constructor: 'stop',
  }
  for (const [stop_reason, reason] of Object.entries(expected)) {
    const choice = objectOf((read(said([], { stop_reason })).json['choices'] as unknown[])[0])
    assert.equal(choice['finish_reason'], reason, stop_reason)
  }
})

test('a refusal is returned as one, with Anthropic’s explanation', () => {
  const refused = (stop_details: unknown) =>
    messageOf(read(said([], { stop_reason: 'refusal', stop_details })).json)
  const message = refused({ type: 'refusal', category: 'bio', explanation: 'No.' })
  assert.equal(message['content'], null)
  assert.equal(message['refusal'], 'No.')
  assert.equal(refused({ category: 'bio' })['refusal'], 'The model refused to answer (bio).')
  assert.equal(refused(null)['refusal'], 'The model refused to answer.')
})

test('a response cut off before its first word is empty, not an error', () => {
  const message = messageOf(read(said([], { stop_reason: 'max_tokens' })).json)
  assert.equal(message['content'], '')
})

test('cache reads and both kinds of cache writes are counted once, and add up to the prompt', () => {
  const { usage, json } = read(
    said([], {
      usage: {
        input_tokens: 100,
        cache_read_input_tokens: 2000,
        cache_creation_input_tokens: 500,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 20 },
        server_tool_use: { web_search_requests: 3 },
      },
    }),
  )
  assert.deepEqual(usage, {
    uncached: 100,
    cacheRead: 2000,
    cacheWrite: 200,
    cacheWriteLong: 300,
    output: 50,
    reasoning: 20,
    audioInput: 0,
    audioOutput: 0,
    statedCost: null,
    units: { web_search: 3 },
  })
  assert.deepEqual(json['usage'], {
    prompt_tokens: 2600, // 100 + 2000 + 200 + 300
    completion_tokens: 50,
    total_tokens: 2650,
    prompt_tokens_details: { cached_tokens: 2000, cache_write_tokens: 500, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
  })
})

test('writes without a lifetime count as the short one; nulls count as nothing', () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 70,
    cache_creation: null,
    cache_read_input_tokens: null,
    output_tokens: 2,
    output_tokens_details: null,
  }
  const read70 = read(said([], { usage })).usage
  assert.equal(read70?.cacheWrite, 70)
  assert.equal(read70?.cacheWriteLong, 0)
  assert.equal(read70 && toOpenAiUsage(read70).total_tokens, 73) // 1 + 70 + 2
  assert.equal(read(said([], { usage: undefined })).usage, null)
})

test('a 200 that is no response is an error, never an empty success', () => {
  const attempt = (body: string) => faultOf(() => exchangeOf(anthropic, request).response(Buffer.from(body)))
  for (const body of [
    '',
    '<html>',
    'null',
    '[]',
    '{}',
    '{"type":"message","content":"x"}',
    '{"type":"mess',
  ]) {
    const fault = attempt(body)
    assert.equal(fault.status, 502, body)
    assert.equal(fault.code, 'provider_error')
  }
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  assert.equal(attempt(JSON.stringify(overloaded)).status, 503)
})
