import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { noUsage } from '../../../wire/chunk-writer.ts'
import { arrayOf, objectOf } from '../../../wire/json.ts'
import { chunksOf, cut, readAll, requestOf, send } from '../../../passthrough/testing.ts'
import { assembled, deltasOf, messageOf } from '../../../passthrough/testing-chunks.ts'
import { openai } from '../index.ts'

const fake = await startFakeProvider()
const base = fake.baseUrls.OPENAI_BASE_URL
after(() => fake.close())
afterEach(() => fake.reset())

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tools = ['weather', 'news', 'time'].map((name) => ({
  type: 'function',
  function: { name, parameters },
}))
const ask = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'call the tool in parallel' }], tools }
const streamed = { stream: true, stream_options: { include_usage: true } }

function stable(text: string): string {
  return text.replaceAll(/"id":"chatcmpl-[^"]*"|"created":\d+/g, '')
}

/** Two answers never have the same ids. */
function unnamed(message: object): unknown {
  return JSON.parse(JSON.stringify(message).replaceAll(/rs_\w+/g, 'rs'))
}

test('a plain response is a chat completion with reasoning, its encrypted form, and parallel tool calls', async () => {
  fake.script('openai', {
    reasoning: 'I must look.',
    text: 'Looking.',
    toolCalls: [
      { name: 'weather', id: 'call_a', arguments: { city: 'Rome' } },
      { name: 'time', id: 'call_b', arguments: '' },
    ],
    usage: { input: 100, cached: 30, cacheWrite: 20, output: 40, reasoning: 25 },
  })
  const { text, usage } = await send(openai, base, ask)
  const answer = JSON.parse(text) as Record<string, unknown>
  const { reasoning_details: details, ...message } = messageOf(answer)
  assert.deepEqual(message, {
    role: 'assistant',
    content: 'Looking.',
    refusal: null,
    reasoning_content: 'I must look.',
    reasoning: 'I must look.',
    tool_calls: [
      { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
      { id: 'call_b', type: 'function', function: { name: 'time', arguments: '{}' } },
    ],
  })
  assert.deepEqual(
    (details as { type: string }[]).map(({ type }) => type),
    ['reasoning.summary', 'reasoning.encrypted'],
  )
  assert.equal(answer['object'], 'chat.completion')
  assert.equal(answer['model'], 'gpt-6-sol')
  assert.match(String(answer['id']), /^chatcmpl-\w+$/)
  assert.equal((answer['choices'] as { finish_reason: string }[])[0]?.finish_reason, 'tool_calls')
  // 100 - 30 - 20 = 50 tokens of input touched no cache.
  assert.deepEqual(usage, {
    ...noUsage,
    uncached: 50,
    cacheRead: 30,
    cacheWrite: 20,
    output: 40,
    reasoning: 25,
  })
  assert.deepEqual(answer['usage'], {
    prompt_tokens: 100,
    completion_tokens: 40,
    total_tokens: 140,
    prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 25, audio_tokens: 0 },
  })
})

test('a streamed response assembles to the same message as a plain one', async () => {
  const replies = [
    { reasoning: 'Hm, 🙂 let me think about that for a while.', text: 'Done – 日本.' },
    {
      reasoning: 'r',
      toolCalls: [
        { name: 'weather', id: 'call_a', arguments: { city: 'Rome' } },
        { name: 'news', id: 'call_b' },
        { name: 'time', id: 'call_c', arguments: { city: 'x'.repeat(40) } },
      ],
    },
    { refusal: 'I will not.' },
    { text: 'cut', finish: 'length' as const },
    { text: 'filtered', finish: 'content_filter' as const },
  ]
  for (const reply of replies) {
    fake.always('openai', reply)
    const plain = JSON.parse((await send(openai, base, ask)).text) as Record<string, unknown>
    const stream = await send(openai, base, { ...ask, ...streamed })
    const { message, finish } = assembled(stream.text)
    assert.deepEqual(unnamed(message), unnamed(messageOf(plain)), JSON.stringify(reply))
    assert.equal(finish, (plain['choices'] as { finish_reason: string }[])[0]?.finish_reason)
    assert.ok(stream.text.endsWith('data: [DONE]\n\n'))
    assert.deepEqual(chunksOf(stream.text).at(-1)?.['usage'], plain['usage'])
  }
})

test('chunks follow the grammar of chat completions: role first, id and name once for each call, one finish', async () => {
  fake.script('openai', {
    toolCalls: ['weather', 'news', 'time'].map((name) => ({ name, arguments: { city: 'Rome' } })),
  })
  const chunks = chunksOf((await send(openai, base, { ...ask, ...streamed })).text)
  assert.deepEqual(deltasOf(chunks)[0], { role: 'assistant', content: '' })
  const pieces = deltasOf(chunks).flatMap(
    (delta) => (delta['tool_calls'] ?? []) as { index: number; id?: string; function: { name?: string } }[],
  )
  assert.deepEqual([...new Set(pieces.map(({ index }) => index))], [0, 1, 2])
  for (const index of [0, 1, 2]) {
    const own = pieces.filter((piece) => piece.index === index)
    assert.deepEqual(
      own.map(({ id }) => id !== undefined),
      own.map((_, place) => place === 0),
    )
    assert.deepEqual(
      own.map(({ function: { name } }) => name !== undefined),
      own.map((_, place) => place === 0),
    )
  }
  assert.equal(new Set(chunks.map(({ id }) => id)).size, 1)
  assert.equal(
    chunks.filter((chunk) => (chunk['choices'] as { finish_reason: unknown }[])[0]?.finish_reason).length,
    1,
  )
  assert.deepEqual(chunks.at(-1)?.['choices'], [])
  assert.ok(chunks.slice(0, -1).every((chunk) => chunk['usage'] === null))
})

test('reasoning comes back to OpenAI in a form it can verify, over a whole tool loop, plain and streamed', async () => {
  for (const how of [{}, streamed]) {
    const first = await send(openai, base, { ...ask, ...how })
    const said =
      'stream' in how
        ? assembled(first.text).message
        : messageOf(JSON.parse(first.text) as Record<string, unknown>)
    const results = (said['tool_calls'] as { id: string }[]).map(({ id }) => ({
      role: 'tool',
      tool_call_id: id,
      content: `result of ${id}`,
    }))
    const second = await send(openai, base, { ...ask, messages: [...ask.messages, said, ...results], ...how })
    assert.match(second.text, /The tool answered|tool /)
    const request = fake.requests.at(-1)
    assert.equal(request?.refusal, undefined)
    const input = arrayOf(objectOf(request?.json)['input']).map(objectOf)
    assert.deepEqual(
      input.map(({ type }) => type),
      [
        'message',
        'reasoning',
        'function_call',
        'function_call',
        'function_call',
        'function_call_output',
        'function_call_output',
        'function_call_output',
      ],
    )
    assert.ok(input[1]?.['encrypted_content'])
  }
})

test('images, files, schemas and models that only the Responses API serves get through', async () => {
  const content = [
    { type: 'text', text: 'see' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
  ]
  const seen = await send(openai, base, { model: 'gpt-5.5-pro', messages: [{ role: 'user', content }] })
  assert.match(seen.text, /I see 1 image\(s\)\. I read 1 document\(s\)\./)
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  }
  const response_format = { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } }
  const shaped = await send(openai, base, { model: 'gpt-5.5-pro', messages: ask.messages, response_format })
  assert.equal(messageOf(JSON.parse(shaped.text) as Record<string, unknown>)['content'], '{"name":"name"}')
})

test('web citations become annotations at their place in the joined text', () => {
  const response = {
    id: 'resp_1',
    status: 'completed',
    output: [
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'message', content: [{ type: 'output_text', text: 'One. ', annotations: [] }] },
      {
        type: 'message',
        content: [
          {
            type: 'output_text',
            text: 'Two.',
            annotations: [
              { type: 'url_citation', url: 'https://a', title: 'A', start_index: 0, end_index: 3 },
              { type: 'file_citation', file_id: 'f' },
            ],
          },
        ],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  // "One. " has 5 characters, so 0..3 of the second text is 5..8 of both.
  const annotations = [
    { type: 'url_citation', url_citation: { url: 'https://a', title: 'A', start_index: 5, end_index: 8 } },
  ]
  const exchange = openai.chat(requestOf({ ...ask, ...streamed }))
  const plain = exchange.response(Buffer.from(JSON.stringify(response)))
  assert.deepEqual(
    messageOf(JSON.parse(String(plain.body)) as Record<string, unknown>)['annotations'],
    annotations,
  )
  assert.deepEqual(plain.usage?.units, { web_search: 1 })
  const final = `data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`
  const { message } = assembled(readAll(exchange.stream(), [Buffer.from(final)]).text)
  assert.deepEqual([message['content'], message['annotations']], ['One. Two.', annotations])
})

test('wherever the network cuts the bytes, the chunks and the usage are the same', async () => {
  fake.script('openai', {
    reasoning: 'Zoë 🙂',
    text: 'Grüße 日本',
    toolCalls: [{ name: 'weather', id: 'c', arguments: { city: '🙂' } }],
  })
  const { upstream } = await send(openai, base, { ...ask, ...streamed })
  const request = requestOf({ ...ask, ...streamed })
  const whole = readAll(openai.chat(request).stream(), [upstream])
  for (let seed = 0; seed < 50; seed += 1) {
    const pieces = readAll(openai.chat(request).stream(), cut(upstream, seed))
    assert.deepEqual(
      [stable(pieces.text), pieces.usage, pieces.delivered],
      [stable(whole.text), whole.usage, whole.delivered],
    )
  }
})

test('a cancelled stream can be counted from what was delivered', () => {
  const reader = openai.chat(requestOf({ ...ask, ...streamed })).stream()
  reader.push(
    Buffer.from(
      'data: {"type":"response.output_text.delta","delta":"half an "}\n\ndata: {"type":"response.output_text.delta","delta":"answer"}\n\n',
    ),
  )
  assert.deepEqual([reader.usage, reader.delivered], [null, 'half an answer'])
})

test('two calls of the same id are two calls, and one that is repeated is one', async () => {
  fake.script('openai', {
    toolCalls: ['weather', 'news'].map((name) => ({ name, id: 'call_1', arguments: { city: name } })),
  })
  const { upstream } = await send(openai, base, { ...ask, ...streamed })
  const { text } = readAll(openai.chat(requestOf({ ...ask, ...streamed })).stream(), [upstream])
  const calls = arrayOf(objectOf(assembled(text).message)['tool_calls']).map(
    (call) => objectOf(objectOf(call)['function'])['arguments'],
  )
  assert.deepEqual(calls, ['{"city":"weather"}', '{"city":"news"}'])

  const item = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' }
  const events = [
    { type: 'response.output_item.added', output_index: 0, item: { ...item, id: 'fc_1' } },
    { type: 'response.output_item.done', item },
    { type: 'response.completed', response: { status: 'completed', output: [{ ...item, id: 'fc_9' }] } },
  ].map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  const repeated = readAll(openai.chat(requestOf({ ...ask, ...streamed })).stream(), events)
  assert.equal(arrayOf(objectOf(assembled(repeated.text).message)['tool_calls']).length, 1)
})
