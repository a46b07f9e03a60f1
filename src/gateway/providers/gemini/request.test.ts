import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeOf, faultOf, upstreamOf } from '../../chat/testing.ts'
import { gemini } from './index.ts'

const model = 'gemini-3.8-flash'
const hello = [{ role: 'user', content: 'hello' }]
const helloContents = [{ role: 'user', parts: [{ text: 'hello' }] }]
const tool = (name: string, more: object = {}) => ({ type: 'function', function: { name, ...more } })
const call = (id: string, name: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: '{"a":1}' },
  ...more,
})

const upstream = (body: object) => upstreamOf(gemini, { model, messages: hello, ...body })
const config = (body: object) => upstream(body)['generationConfig']
const dropped = (body: object) => exchangeOf(gemini, { model, messages: hello, ...body }).dropped

test('the smallest request is the smallest one upstream, and the key is a query parameter', () => {
  const exchange = exchangeOf(gemini, { model, messages: hello })
  assert.equal(exchange.path, '/v1beta/models/gemini-3.8-flash:generateContent')
  assert.deepEqual(exchange.query, {})
  assert.deepEqual(JSON.parse(String(exchange.body)), { contents: helloContents })
  assert.deepEqual(gemini.credentials('k'), { query: { key: 'k' } })
  const stream = exchangeOf(gemini, { model, messages: hello, stream: true })
  assert.equal(stream.path, '/v1beta/models/gemini-3.8-flash:streamGenerateContent')
  assert.deepEqual(stream.query, { alt: 'sse' })
})

test('a model name cannot reach another path', () => {
  const exchange = exchangeOf(gemini, { model: 'gemini-../files?x#y', messages: hello })
  assert.equal(exchange.path, '/v1beta/models/gemini-..%2Ffiles%3Fx%23y:generateContent')
})

test('every parameter with a counterpart is translated', () => {
  const body = {
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    stop: 'END',
    seed: 7,
    n: 2,
    logprobs: true,
    top_logprobs: 3,
    modalities: ['text', 'image'],
    service_tier: 'flex',
    store: false,
    safety_settings: [{ category: 'x', threshold: 'y' }],
    cached_content: 'cachedContents/1',
    continuation_token: 'more',
    presence_penalty: 1,
    user: 'u',
    metadata: { a: 'b' },
    reasoning_effort: null,
  }
  assert.deepEqual(upstream(body), {
    contents: helloContents,
    generationConfig: {
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stopSequences: ['END'],
      candidateCount: 2,
      seed: 7,
      responseLogprobs: true,
      logprobs: 3,
      responseModalities: ['TEXT', 'IMAGE'],
    },
    serviceTier: 'flex',
    store: false,
    safetySettings: [{ category: 'x', threshold: 'y' }],
    cachedContent: 'cachedContents/1',
    continuationToken: 'more',
  })
  assert.deepEqual(dropped(body), ['presence_penalty', 'user'])
  assert.deepEqual(dropped({ seed: 2 ** 40, service_tier: 'scale' }), ['seed', 'service_tier'])
})

test('instructions go apart, later ones become words of the user, and Gemma gets all in its first turn', () => {
  const messages = [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'system', content: 'shout' },
    { role: 'user', content: 'three' },
  ]
  const later = { role: 'user', parts: [{ text: 'shout' }, { text: 'three' }] }
  assert.deepEqual(upstream({ messages }), {
    systemInstruction: { parts: [{ text: 'be kind' }] },
    contents: [
      { role: 'user', parts: [{ text: 'one' }] },
      { role: 'model', parts: [{ text: 'two' }] },
      later,
    ],
  })
  assert.deepEqual(upstream({ model: 'gemma-3-27b-it', messages }), {
    contents: [
      { role: 'user', parts: [{ text: 'be kind' }, { text: 'one' }] },
      { role: 'model', parts: [{ text: 'two' }] },
      later,
    ],
  })
})

const loop = [
  ...hello,
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      call('a', 'x', { extra_content: { google: { thought_signature: 'sig' } } }),
      call('b', '2nd tool'),
    ],
  },
  { role: 'tool', tool_call_id: 'b', content: '{"$ref":"#/x","id":12345678901234567890}' },
  { role: 'user', content: 'quick' },
  { role: 'tool', tool_call_id: 'a', content: '' },
]

test('results come directly after the calls, one for each, in their order and as the text they are', () => {
  const functionCall = (id: string, name: string) => ({ id, name, args: { a: 1 } })
  const response = (id: string, name: string, output: string) => ({
    functionResponse: { id, name, response: { output } },
  })
  assert.deepEqual(upstream({ messages: loop })['contents'], [
    ...helloContents,
    {
      role: 'model',
      parts: [
        { functionCall: functionCall('a', 'x'), thoughtSignature: 'sig' },
        { functionCall: functionCall('b', '_2nd_tool') },
      ],
    },
    {
      role: 'user',
      parts: [
        response('a', 'x', ''),
        response('b', '_2nd_tool', '{"$ref":"#/x","id":12345678901234567890}'),
        { text: 'quick' },
      ],
    },
  ])
})

test('models before the third generation get neither call ids nor made-up signatures', () => {
  const text = JSON.stringify(upstream({ model: 'gemini-2.5-flash', messages: loop }))
  assert.doesNotMatch(text, /"id":"[ab]"|skip_thought/)
})

test('a lost signature is replaced by Google’s own word for it, on the first call only', () => {
  const messages = [
    ...hello,
    { role: 'assistant', tool_calls: [call('a', 'x'), call('b', 'x')] },
    ...['a', 'b'].map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'y' })),
  ]
  const contents = upstream({ messages })['contents'] as { parts: { thoughtSignature?: string }[] }[]
  assert.deepEqual(
    contents[1]?.parts.map((part) => part.thoughtSignature),
    ['skip_thought_signature_validator', undefined],
  )
})

test('images, sound, films and files reach the model in the form it reads', () => {
  const content = [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'low' } },
    { type: 'image_url', image_url: { url: 'https://example.com/cat.webp?x=1' } },
    { type: 'image_url', image_url: { url: 'https://example.com/picture' } },
    { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
    { type: 'video_url', video_url: { url: 'https://example.com/film.mp4' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'JVBERg==' } },
    { type: 'file', file: { filename: 'a.csv', file_data: 'data:text/csv;base64,QQ==' } },
  ]
  assert.deepEqual(upstream({ messages: [{ role: 'user', content }] })['contents'], [
    {
      role: 'user',
      parts: [
        {
          inlineData: { mimeType: 'image/png', data: 'QUJD' },
          mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
        },
        { fileData: { fileUri: 'https://example.com/cat.webp?x=1', mimeType: 'image/webp' } },
        { fileData: { fileUri: 'https://example.com/picture', mimeType: 'image/jpeg' } },
        { inlineData: { mimeType: 'audio/wav', data: 'QUJD' } },
        { fileData: { fileUri: 'https://example.com/film.mp4', mimeType: 'video/mp4' } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERg==' } },
        { inlineData: { mimeType: 'text/plain', data: 'QQ==' } },
      ],
    },
  ])
})

test('the choice of tools is translated', () => {
  const calling = (body: object) => {
    const { toolConfig } = upstream({ tools: [tool('a'), tool('b')], ...body })
    return (toolConfig as { functionCallingConfig?: unknown } | undefined)?.functionCallingConfig
  }
  assert.equal(calling({}), undefined)
  assert.deepEqual(calling({ tool_choice: 'auto' }), { mode: 'AUTO' })
  assert.deepEqual(calling({ tool_choice: 'none' }), { mode: 'NONE' })
  assert.deepEqual(calling({ tool_choice: 'required' }), { mode: 'ANY' })
  const named = { type: 'function', function: { name: 'b' } }
  assert.deepEqual(calling({ tool_choice: named }), { mode: 'ANY', allowedFunctionNames: ['b'] })
  assert.deepEqual(calling({ tools: [tool('a', { strict: true })] }), { mode: 'VALIDATED' })
  assert.deepEqual(upstream({ tools: [tool('a', { description: 'd' })] })['tools'], [
    { functionDeclarations: [{ name: 'a', description: 'd' }] },
  ])
})

test('a web search is Google’s own, alone or beside functions', () => {
  const web_search_options = { search_context_size: 'low' }
  assert.deepEqual(upstream({ web_search_options })['tools'], [{ googleSearch: {} }])
  assert.deepEqual(dropped({ web_search_options }), ['web_search_options.search_context_size'])
  assert.deepEqual(upstream({ web_search_options, tools: [tool('a')] })['toolConfig'], {
    functionCallingConfig: { mode: 'VALIDATED' },
    includeServerSideToolInvocations: true,
  })
})

test('effort becomes a level, or a budget on older models, never both', () => {
  const thinking = (of: string, body: object) =>
    (config({ model: of, ...body }) as { thinkingConfig?: unknown } | undefined)?.thinkingConfig
  const effort = (of: string, reasoning_effort: string) => thinking(of, { reasoning_effort })
  const level = (thinkingLevel: string) => ({ thinkingLevel, includeThoughts: true })
  const budget = (thinkingBudget: number) => ({ thinkingBudget, includeThoughts: true })
  assert.deepEqual(effort('gemini-3.8-flash', 'minimal'), level('low'))
  assert.deepEqual(effort('gemini-3.5-flash', 'minimal'), level('minimal'))
  assert.deepEqual(effort('gemini-3.1-pro-preview', 'minimal'), level('low'))
  assert.deepEqual(effort('gemini-4-argon', 'max'), level('high'))
  assert.deepEqual(effort('gemini-flash-latest', 'none'), { thinkingLevel: 'low' })
  assert.deepEqual(effort('gemini-2.5-flash', 'none'), { thinkingBudget: 0 })
  assert.deepEqual(effort('gemini-2.5-pro', 'none'), { thinkingBudget: 128 })
  assert.deepEqual(effort('gemini-2.5-flash', 'medium'), budget(8192))
  assert.deepEqual(effort('gemini-2.5-pro', 'max'), budget(32_768))
  assert.equal(effort('gemma-3-27b-it', 'high'), undefined)
  assert.deepEqual(thinking('gemini-2.5-pro', { reasoning: { max_tokens: 999_999 } }), budget(32_768))
  assert.deepEqual(thinking(model, { reasoning: { effort: 'high', exclude: true } }), {
    thinkingLevel: 'high',
  })
  assert.deepEqual(thinking(model, { thinking: { type: 'enabled', budget_tokens: 9000 } }), level('medium'))
  assert.deepEqual(dropped({ reasoning_effort: 'none' }), ['reasoning_effort'])
  assert.deepEqual(dropped({ reasoning: { max_tokens: 9 } }), ['reasoning.max_tokens'])
  assert.deepEqual(dropped({ model: 'gemma-3-27b-it', reasoning_effort: 'high' }), ['reasoning_effort'])
})

test('what Gemini cannot do is refused with the field', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }
  const pictured = [
    ...loop.slice(0, 2),
    ...['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: [image] })),
  ]
  const refusals: [body: object, param: string][] = [
    [{ n: 2, stream: true }, 'n'],
    [{ logprobs: true, stream: true }, 'logprobs'],
    [{ modalities: ['text', 'audio'] }, 'modalities.1'],
    [{ model: 'gemini-2.5-flash', tools: [tool('a')], web_search_options: {} }, 'web_search_options'],
    [{ thinking: { type: 'between_tools' } }, 'thinking.type'],
    [{ model: 'gemini-2.5-flash', messages: pictured }, 'messages.2.content'],
    [{ top_k: 0 }, 'top_k'],
    [{ cached_content: 5 }, 'cached_content'],
    [{ safety_settings: 'off' }, 'safety_settings'],
  ]
  for (const [body, param] of refusals) {
    const fault = faultOf(() => upstream(body))
    assert.deepEqual([fault.status, fault.param], [400, param], `${JSON.stringify(body)}: ${fault.message}`)
  }
  assert.doesNotThrow(() => upstream({ messages: pictured }), 'later models take pictures as results')
})
