import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrayOf, objectOf, parseJson } from '../../wire/json.ts'
import { exchangeOf, faultOf, messageOf } from '../../chat/testing.ts'
import { gemini } from './index.ts'

const model = 'gemini-3.8-flash'
const request = { model, messages: [{ role: 'user', content: 'hello' }] }
const read = (answer: object, body: object = {}) => {
  const read = exchangeOf(gemini, { ...request, ...body }).response(Buffer.from(JSON.stringify(answer)))
  return { ...read, json: objectOf(parseJson(String(read.body))) }
}
const said = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0, ...more }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
  responseId: 'r1',
})
const finishOf = (answer: object) => objectOf(arrayOf(read(answer).json['choices'])[0])['finish_reason']

test('parts of every kind become one message', () => {
  const { json } = read(
    said([
      { text: 'hm', thought: true },
      { text: 'Hello ' },
      { executableCode: { code: 'x' } },
      { text: 'you', thoughtSignature: 'text-sig' },
      { functionCall: { id: 'f1', name: '_2nd_tool', args: { a: 1 } }, thoughtSignature: 'call-sig' },
      { functionCall: { name: 'none' } },
      { functionCall: { name: 'none', args: {} } },
      { inlineData: { mimeType: 'image/png', data: 'QUJD' } },
    ]),
    { tools: ['2nd tool', 'none'].map((name) => ({ type: 'function', function: { name } })) },
  )
  const entry = { format: 'google-gemini-v1', model }
  assert.equal(json['id'], 'chatcmpl-r1')
  assert.deepEqual(json['choices'], [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hello you',
        refusal: null,
        reasoning_content: 'hm',
        reasoning: 'hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', ...entry, index: 0 },
          { type: 'reasoning.encrypted', data: 'call-sig', id: 'f1', ...entry, index: 1 },
          { type: 'reasoning.encrypted', data: 'text-sig', ...entry, index: 2 },
        ],
        tool_calls: [
          {
            id: 'f1',
            type: 'function',
            function: { name: '2nd tool', arguments: '{"a":1}' },
            extra_content: { google: { thought_signature: 'call-sig' } },
          },
          { id: 'call_r1_0_1', type: 'function', function: { name: 'none', arguments: '{}' } },
          { id: 'call_r1_0_2', type: 'function', function: { name: 'none', arguments: '{}' } },
        ],
        images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }],
        extra_content: { google: { thought_signature: 'text-sig' } },
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ])
})

test('a client that takes one call at a time gets the first', () => {
  const parts = ['a', 'b'].map((id) => ({ functionCall: { id, name: 'x', args: {} } }))
  const { json } = read(said(parts), { parallel_tool_calls: false })
  assert.equal(arrayOf(messageOf(json)['tool_calls']).length, 1)
})

test('every finish reason has its counterpart', () => {
  const expected = {
    STOP: 'stop',
    MAX_TOKENS: 'length',
    CONTINUATION: 'length',
    SAFETY: 'content_filter',
    RECITATION: 'content_filter',
    IMAGE_SAFETY: 'content_filter',
    OTHER: 'stop',
    MALFORMED_FUNCTION_CALL: 'stop',
    YET_UNKNOWN: 'stop',
  }
  for (const [finishReason, reason] of Object.entries(expected)) {
    assert.equal(finishOf(said([{ text: 'x' }], { finishReason })), reason, finishReason)
  }
  assert.equal(finishOf(said([{ functionCall: { name: 'x' } }])), 'tool_calls')
})

test('a response spent on thinking alone is empty and cut off, not an error', () => {
  const { json } = read(said([], { finishReason: 'MAX_TOKENS', content: { role: 'model' } }))
  assert.equal(messageOf(json)['content'], '')
  assert.equal(objectOf(arrayOf(json['choices'])[0])['finish_reason'], 'length')
})

test('a long decode that stops half-way returns the token to continue with', () => {
  const { json } = read(said([{ text: 'half' }], { finishReason: 'CONTINUATION', continuationToken: 'more' }))
  assert.deepEqual(messageOf(json)['extra_content'], { google: { continuation_token: 'more' } })
})

test('a blocked prompt and a blocked answer are refusals that are still billed', () => {
  const usageMetadata = { promptTokenCount: 12, totalTokenCount: 12 }
  const blocked = read({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata })
  assert.deepEqual(blocked.json['choices'], [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: 'The prompt was blocked: SAFETY.' },
      logprobs: null,
      finish_reason: 'content_filter',
    },
  ])
  assert.equal(blocked.usage?.uncached, 12)
  const stopped = messageOf(read(said([], { finishReason: 'RECITATION', finishMessage: 'Too alike.' })).json)
  assert.deepEqual([stopped['content'], stopped['refusal']], [null, 'Too alike.'])
})

test('a 200 that is no response is an error, never an empty success', () => {
  const attempt = (body: string) => faultOf(() => exchangeOf(gemini, request).response(Buffer.from(body)))
  const malformed = said([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'bad call' })
  for (const body of ['', '<html>', '[]', '{}', '{"candidates":[]}', '{"cand', JSON.stringify(malformed)]) {
    assert.equal(attempt(body).status, 502, body)
  }
  assert.match(attempt(JSON.stringify(malformed)).message, /MALFORMED_FUNCTION_CALL: bad call/)
  assert.equal(attempt('{"error":{"code":503,"message":"busy"}}').status, 503)
})

test('several answers are several choices', () => {
  const candidate = (text: string, index: number) => ({
    content: { parts: [{ text }] },
    finishReason: 'STOP',
    index,
  })
  const { json } = read({ candidates: [candidate('a', 0), candidate('b', 1)] }, { n: 2 })
  const choices = arrayOf(json['choices']).map(objectOf)
  assert.deepEqual(
    choices.map((choice) => [choice['index'], objectOf(choice['message'])['content']]),
    [
      [0, 'a'],
      [1, 'b'],
    ],
  )
})

test('cached, thought and tool tokens are counted once, and add up to Google’s total', () => {
  const { usage, json } = read({
    ...said([{ text: 'x' }]),
    usageMetadata: {
      promptTokenCount: 1000,
      cachedContentTokenCount: 600,
      toolUsePromptTokenCount: 50,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 20,
      totalTokenCount: 1100, // 1000 + 50 + 30 + 20
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 900 },
        { modality: 'AUDIO', tokenCount: 100 },
      ],
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 7 }],
    },
  })
  assert.deepEqual(usage, {
    uncached: 450, // 1000 + 50 - 600
    cacheRead: 600,
    cacheWrite: 0,
    cacheWriteLong: 0,
    output: 50, // 30 + 20
    reasoning: 20,
    audioInput: 100,
    audioOutput: 7,
    statedCost: null,
    units: {},
  })
  assert.equal(objectOf(json['usage'])['total_tokens'], 1100)
})

test('a count that Google leaves out is found from its total', () => {
  const usageMetadata = { promptTokenCount: 10, thoughtsTokenCount: 5, totalTokenCount: 22 }
  const { usage } = read({ ...said([]), usageMetadata })
  assert.equal(usage?.output, 12) // 22 - 10
  assert.equal(read({ ...said([]), usageMetadata: undefined }).usage, null)
})

test('web sources are cited by characters of the content, though Google counts bytes of a part', () => {
  const support = (partIndex: number, startIndex: number, endIndex: number, indices: number[]) => ({
    segment: { partIndex, startIndex, endIndex },
    groundingChunkIndices: indices,
  })
  const { json, usage } = read(
    said([{ text: 'Größe: ' }, { text: '😀 gut' }], {
      groundingMetadata: {
        webSearchQueries: ['one', 'two'],
        groundingChunks: [{ web: { uri: 'https://a.b', title: 'A' } }, { web: {} }],
        // 😀 is 4 bytes and 2 characters; "Größe: " is 9 bytes and 7 characters
        groundingSupports: [support(1, 0, 8, [0]), support(0, 0, 9, [0, 1, 7]), support(9, 0, 1, [0])],
      },
    }),
  )
  const cited = (start_index: number, end_index: number) => ({
    type: 'url_citation',
    url_citation: { url: 'https://a.b', title: 'A', start_index, end_index },
  })
  assert.deepEqual(messageOf(json)['annotations'], [cited(7, 13), cited(0, 7)])
  assert.deepEqual(usage?.units, { web_search: 2 })
})

test('token probabilities come in OpenAI’s form', () => {
  const token = { token: 'é', logProbability: -0.5 }
  const logprobsResult = { chosenCandidates: [token], topCandidates: [{ candidates: [token] }] }
  const { json } = read(said([{ text: 'é' }], { logprobsResult }), {
    model: 'gemini-2.5-flash',
    logprobs: true,
  })
  const expected = { token: 'é', logprob: -0.5, bytes: [195, 169] }
  assert.deepEqual(objectOf(arrayOf(json['choices'])[0])['logprobs'], {
    content: [{ ...expected, top_logprobs: [expected] }],
    refusal: null,
  })
})
