import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { exampleModels, keyOf, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const client = new Anthropic({ apiKey: server.key, baseURL: server.url, maxRetries: 0 })
const hello = [{ role: 'user' as const, content: 'Hello' }]
const claude = { model: exampleModels.anthropic, max_tokens: 500, messages: hello }
const gpt = { ...claude, model: exampleModels.openai }

beforeEach(() => server.fake.reset())

async function settledFor(requestId: string | null) {
  const found = () => server.settled().filter((each) => each.requestId === requestId)
  await waitFor('the record', () => found().length > 0)
  return found()
}

async function errorOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof APIError ? error : assert.fail('the call was to fail')
}

test('a client of a newer version of the API may set what the first version takes', async () => {
  const json = {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    temperature: 0.5,
    messages: [{ role: 'user', content: 'Hello' }],
  }
  for (const headers of [{}, { 'anthropic-beta': 'context-1m-2025-08-07' }]) {
    const version = { 'anthropic-version': '2026-10-21' }
    const { status, text } = await server.call('/v1/messages', {
      key: server.key,
      json,
      headers: { ...version, ...headers },
    })
    assert.equal(status, 200, text)
    assert.equal(server.fake.requests.at(-1)?.headers['anthropic-version'], '2023-06-01')
  }
})

test('bytes and headers of the Messages API reach a provider that supports it; the key and other headers do not', async () => {
  const body = `{ "model":"${claude.model}", "max_tokens" : 5e2,  "messages":[{"role":"user","content":"Hello"}] }`
  const headers = {
    'x-api-key': server.key,
    'content-type': 'application/json',
    'anthropic-version': '2026-10-21',
    'anthropic-beta': 'one-2026-01-01,two-2026-11-02',
    'x-stainless-lang': 'js',
    cookie: 'a=b',
  }
  const { status } = await server.call('/v1/messages?beta=true', { body, headers })
  assert.equal(status, 200)
  const sent = server.fake.requests.at(-1)
  assert.equal(sent?.body.toString(), body)
  assert.equal(sent?.headers['anthropic-version'], '2026-10-21')
  assert.equal(sent?.headers['anthropic-beta'], 'one-2026-01-01,two-2026-11-02')
  assert.equal(sent?.headers['x-api-key'], keyOf('anthropic'))
  assert.deepEqual([sent?.headers['x-stainless-lang'], sent?.headers.cookie], [undefined, undefined])
  await server.call('/v1/messages', {
    body,
    key: server.key,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(server.fake.requests.at(-1)?.headers['anthropic-version'], '2023-06-01')
  const odd = await server.call('/v1/messages', { body, headers: { ...headers, 'anthropic-beta': '<odd>' } })
  assert.equal(odd.status, 400)
})

test('a Messages stream is passed through, metered by the usage at its start and its end', async () => {
  const usage = { input: 90, cached: 40, cacheWrite: 20, output: 30, reasoning: 10 }
  server.fake.script('anthropic', { text: 'Hello there', usage })
  const stream = client.messages.stream(claude)
  const message = await stream.finalMessage()
  assert.equal(message.content.at(-1)?.type, 'text')
  const [settled] = await settledFor(stream.response?.headers.get('x-request-id') ?? null)
  const { uncached, cacheRead, cacheWrite, output, reasoning } = settled?.usage ?? {}
  assert.deepEqual([uncached, cacheRead, cacheWrite, output, reasoning], [30, 40, 20, 30, 10])
})

test("Anthropic's own tools, cache marks and signatures reach a provider of the Messages API", async () => {
  const tools = [{ type: 'web_search_20250305' as const, name: 'web_search' as const, max_uses: 3 }]
  const content = [{ type: 'text' as const, text: 'Hello', cache_control: { type: 'ephemeral' as const } }]
  await client.messages.create({ ...claude, tools, messages: [{ role: 'user', content }] })
  const sent = server.fake.requests.at(-1)?.json as { tools: unknown } | undefined
  assert.deepEqual(sent?.tools, tools)
})

for (const model of Object.values(exampleModels)) {
  test(`${model} responds to a request as a coding agent sends it`, async () => {
    const mark = { cache_control: { type: 'ephemeral' as const } }
    const text = (words: string) => ({ type: 'text' as const, text: words })
    const stream = client.beta.messages.stream({
      model,
      max_tokens: 32_000,
      temperature: 1,
      system: [text('You write code.'), { ...text('The folder is /app.'), ...mark }],
      metadata: { user_id: `user_${'0123456789abcdef'.repeat(4)}_account__session_1` },
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      betas: ['context-management-2025-06-27', 'interleaved-thinking-2025-05-14'],
      tools: [
        {
          name: 'Read',
          description: 'Reads a file',
          input_schema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { file: { type: 'string' }, limit: { type: 'number' } },
            required: ['file'],
            additionalProperties: false,
          },
          ...mark,
        },
      ],
      messages: [
        { role: 'user', content: [text('<reminder/>'), { ...text('Call the tool Read'), ...mark }] },
      ],
    })
    const message = await stream.finalMessage()
    assert.equal(message.stop_reason, 'tool_use')
    const call = message.content.find((block) => block.type === 'tool_use')
    assert.deepEqual([call?.name, typeof call?.input], ['Read', 'object'])
  })
}

test('what was left out for another provider is named in a header', async () => {
  const asked = {
    ...gpt,
    system: [{ type: 'text' as const, text: 'x', cache_control: { type: 'ephemeral' as const } }],
  }
  const { response } = await client.messages.create(asked).withResponse()
  assert.equal(response.headers.get('x-signalbox-dropped'), 'cache_control')
})

test('marks for the cache reach OpenRouter, and are not named as left out', async () => {
  const system = [{ type: 'text' as const, text: 'x', cache_control: { type: 'ephemeral' as const } }]
  const asked = { ...gpt, model: exampleModels.openrouter, system }
  const { response } = await client.messages.create(asked).withResponse()
  assert.equal(response.headers.get('x-signalbox-dropped'), null)
  const sent = server.fake.requests.at(-1)?.json as { messages: unknown[] } | undefined
  assert.deepEqual(sent?.messages[0], { role: 'system', content: system })
})

/** The citations that the client finds in a response, and in the same response as a stream. */
async function citationsFor(model: string, more: object = {}) {
  const asked = { ...gpt, model, ...more }
  const whole = await client.messages.create(asked)
  const streamed = await client.messages.stream(asked).finalMessage()
  return [whole, streamed].map(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? (block.citations ?? []) : [])),
  )
}

test('the client gathers the sources of a search from a stream as from a plain response', async () => {
  const [plain, streamed] = await citationsFor('sonar')
  assert.deepEqual(
    plain?.map((each) => ('url' in each ? each.url : undefined)),
    ['https://example.com/page-1', 'https://example.com/page-2'],
  )
  assert.deepEqual(streamed, plain)
})

test('sources that a provider sends after a call reach the client', async () => {
  const results = [{ id: 1, title: 'Page', url: 'https://a.example' }]
  const output = [
    { type: 'search_results', results },
    {
      type: 'message',
      id: 'm',
      content: [{ type: 'output_text', text: 'Rome is old.[1]', annotations: [] }],
    },
    { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: '{"a":1}' },
  ]
  const response = { id: 'resp_1', object: 'response', status: 'completed', output, usage: {} }
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const frames = [
    event('response.output_text.delta', { item_id: 'm', output_index: 1, delta: 'Rome is old.[1]' }),
    event('response.output_item.done', { output_index: 2, item: output[2] }),
    event('response.completed', { response }),
  ]
  server.fake.script('perplexity', { body: { json: response } })
  server.fake.script('perplexity', { frames })
  const tools = [{ name: 'look', input_schema: { type: 'object' as const } }]
  const [plain, streamed] = await citationsFor(exampleModels.perplexity, { tools })
  const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'Page' }
  assert.deepEqual(plain, [{ ...citation, cited_text: '[1]', encrypted_index: '' }])
  assert.deepEqual(streamed, plain)
})

test('sources that OpenRouter sends at the end of a stream, or before it, reach the client', async () => {
  const source = { url: 'https://a.example', title: 'Page', start_index: 0, end_index: 4 }
  const annotations = [{ type: 'url_citation', url_citation: source }]
  const chat = (object: string, choice: object) => ({
    id: 'gen-1',
    object,
    choices: [{ index: 0, ...choice }],
  })
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify(chat('chat.completion.chunk', { delta, finish_reason: finish }))}\n\n`
  const said = [chunk({ role: 'assistant', content: 'Ro' }), chunk({ content: 'me is old.' })]
  const sourcesChunk = chunk({ content: '', annotations })
  const message = { role: 'assistant', content: 'Rome is old.', annotations }
  const json = chat('chat.completion', { message, finish_reason: 'stop' })
  const end = chunk({ content: '' }, 'stop')
  for (const chunks of [
    [...said, sourcesChunk, end],
    [...said, end, sourcesChunk],
    [sourcesChunk, ...said, end],
  ]) {
    server.fake.script('openrouter', { body: { json } })
    server.fake.script('openrouter', { frames: [...chunks, 'data: [DONE]\n\n'] })
    const [plain, streamed] = await citationsFor(exampleModels.openrouter)
    assert.deepEqual(
      plain?.map((each) => each.cited_text),
      ['Rome'],
    )
    assert.deepEqual(streamed, plain)
  }
})

test("whatever goes wrong, the client's own error for it is thrown", async () => {
  const say = (status: number) => () => {
    server.fake.script('openai', { error: { status, message: 'said the provider' } })
    return client.messages.create(gpt)
  }
  const stranger = new Anthropic({ apiKey: 'sb-nobody', baseURL: server.url, maxRetries: 0 })
  const calls: [call: () => PromiseLike<unknown>, name: string, status: number, type: string][] = [
    [
      () => client.messages.create({ ...gpt, max_tokens: 0 }),
      'BadRequestError',
      400,
      'invalid_request_error',
    ],
    [() => stranger.messages.create(gpt), 'AuthenticationError', 401, 'authentication_error'],
    [() => client.messages.create({ ...gpt, model: 'nobody' }), 'NotFoundError', 404, 'not_found_error'],
    [say(429), 'RateLimitError', 429, 'rate_limit_error'],
    [say(500), 'InternalServerError', 502, 'api_error'],
    [say(503), 'InternalServerError', 529, 'overloaded_error'],
  ]
  for (const [call, name, status, type] of calls) {
    const error = await errorOf(call())
    assert.deepEqual([error.constructor.name, error.status, error.type], [name, status, type])
    assert.deepEqual(Object.keys(error.error as object), ['type', 'error', 'request_id'])
  }
})

test('a body that is not a Messages request is refused with a Messages error', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const body of ['', '[]', '{', '{"model":"gpt-6-sol"}', '{"model":1,"messages":[]}']) {
    const { status, json } = await server.call('/v1/messages', {
      key: server.key,
      body,
      headers,
      method: 'POST',
    })
    assert.deepEqual([status, json.type, json.error.type], [400, 'error', 'invalid_request_error'], body)
  }
  const large = JSON.stringify({ ...gpt, system: 'x'.repeat(33 * 1024 * 1024) })
  const { status, json } = await server.call('/v1/messages', { key: server.key, body: large, headers })
  assert.deepEqual([status, json.error.type], [413, 'request_too_large'])
})

for (const [provider, asked] of [
  ['anthropic', claude],
  ['openai', gpt],
] as const) {
  test(`${provider}: an error inside a stream is the client's error, and is logged`, async () => {
    server.fake.script(provider, {
      text: 'Hello there, you',
      streamError: { afterChunks: 6, message: 'too busy' },
    })
    const stream = client.messages.stream(asked)
    const error = await errorOf(stream.finalMessage())
    assert.match(error.message, /too busy/)
    const [settled] = await settledFor(stream.response?.headers.get('x-request-id') ?? null)
    assert.match(settled?.errorMessage ?? '', /too busy/)
    assert.ok((settled?.usage?.['output'] ?? 0) > 0, 'what was delivered is counted')
  })
}

test('tokens are counted by the provider of the Messages API, free of charge', async () => {
  const { input_tokens: count } = await client.messages.countTokens({ model: claude.model, messages: hello })
  assert.ok(count > 0)
  assert.equal(server.fake.requests.at(-1)?.path, '/v1/messages/count_tokens')
})

test('the client finds the id of its request in responses, streams and errors, as in the log', async () => {
  const { _request_id: id } = await client.messages.create(claude)
  assert.match(id ?? '', /^req_[0-9a-f]{32}$/)
  assert.equal((await settledFor(id ?? null)).length, 1)
  const { _request_id: counted } = await client.messages.countTokens({
    model: claude.model,
    messages: hello,
  })
  assert.match(counted ?? '', /^req_/)
  const stream = client.messages.stream(gpt)
  await stream.finalMessage()
  assert.equal((await settledFor(stream.request_id ?? null)).length, 1)

  const stranger = new Anthropic({ apiKey: 'sb-nobody', baseURL: server.url, maxRetries: 0 })
  server.fake.script('openai', { text: 'Hello there', streamError: { afterChunks: 6, message: 'too busy' } })
  for (const call of [
    () => client.messages.stream(gpt).finalMessage(),
    () => stranger.messages.create(gpt),
    () => client.messages.create({ ...gpt, model: 'nobody' }),
    () => client.messages.countTokens({ model: 'nobody', messages: hello }),
  ]) {
    const error = await errorOf(call())
    assert.match(error.requestID ?? '', /^req_/)
    assert.equal((error.error as { request_id?: unknown }).request_id, error.requestID)
  }
})
