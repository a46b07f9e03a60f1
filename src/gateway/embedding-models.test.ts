import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway({ UPSTREAM_PRIVATE: '1' })
const { fake, openai } = server

const usage = { prompt_tokens: 1_000, total_tokens: 1_000 }
const vector = [0.5, -0.25, 1]
const openaiJson = (model: string) => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: vector }],
  model,
  usage,
})

async function ask(json: Record<string, unknown>) {
  const response = await server.call('/v1/embeddings', { key: server.key, json })
  // Tokens that a provider does not report are counted before the row is written.
  const row = await waitFor('the row', async () => {
    const path = `/api/v1/logs/${response.headers.get('x-request-id')}`
    const { status, json: found } = await server.call(path, { key: server.key })
    return status === 200 && found
  })
  return { ...response, row, sent: fake.requests.at(-1) }
}

test("OpenAI's models pass through with every field, metered and priced", async () => {
  fake.script('openai', { body: { json: { ...openaiJson('text-embedding-3-small'), extra: 1 } } })
  const asked = { model: 'text-embedding-3-small', input: [[1, 2]], dimensions: 3, user: 'ann', novel: true }
  const { status, json, row, sent } = await ask(asked)
  assert.equal(status, 200)
  assert.deepEqual(json, { ...openaiJson('text-embedding-3-small'), extra: 1 })
  assert.deepEqual([sent?.path, sent?.json], ['/embeddings', asked])
  assert.ok(JSON.stringify(sent?.headers).includes(keyOf('openai')))
  // 1,000 tokens at $0.02 for a million.
  assert.deepEqual(
    [row.provider, row.model, row.endpoint, row.prompt_tokens, row.total_cost, row.user_label],
    ['openai', 'text-embedding-3-small', '/v1/embeddings', 1_000, '0.00002', 'ann'],
  )
  assert.equal(row.own_ms, Math.max(0, row.duration_ms - row.upstream_ms))
})

test("Gemini's are translated both ways, in both encodings", async () => {
  const reply = {
    embeddings: [{ values: vector }, { values: [1] }],
    usageMetadata: { promptTokenCount: 1_000 },
  }
  for (const encoding_format of ['float', 'base64'] as const) {
    fake.script('gemini', { body: { json: reply } })
    const embedded = await openai.embeddings.create({
      model: 'gemini-embedding-001',
      input: ['a', 'b'],
      dimensions: 768,
      encoding_format,
    })
    assert.deepEqual(embedded.usage, usage)
    const [first] = embedded.data
    const numbers =
      encoding_format === 'float'
        ? first?.embedding
        : [...new Float32Array(new Uint8Array(Buffer.from(String(first?.embedding), 'base64')).buffer)]
    assert.deepEqual(numbers, vector)
  }
  const { path, json } = fake.requests.at(-1) ?? {}
  assert.equal(path, '/v1beta/models/gemini-embedding-001:batchEmbedContents')
  const request = (text: string) => ({
    model: 'models/gemini-embedding-001',
    content: { parts: [{ text }] },
    outputDimensionality: 768,
  })
  assert.deepEqual(json, { requests: [request('a'), request('b')] })
  fake.script('gemini', { body: { json: { embeddings: [{ values: vector }] } } })
  const { row } = await ask({ model: 'gemini-embedding-001', input: 'hello world' })
  // Two tokens, counted here, at $0.15 for a million.
  assert.deepEqual([row.usage_source, row.prompt_tokens, row.total_cost], ['estimated', 2, '0.0000003'])
})

test('Gemini takes 100 texts at once: more go in several calls, whose vectors and tokens are joined', async () => {
  const texts = Array.from({ length: 250 }, (_, index) => `text ${index}`)
  const reply = (from: number, count: number) => ({
    embeddings: Array.from({ length: count }, (_, index) => ({ values: [from + index] })),
    usageMetadata: { promptTokenCount: count * 3 },
  })
  const asked = fake.requests.length
  for (const [from, count] of [
    [0, 100],
    [100, 100],
    [200, 50],
  ] as const)
    fake.script('gemini', { body: { json: reply(from, count) } })
  const { json, row } = await ask({ model: 'gemini-embedding-001', input: texts })
  assert.deepEqual(
    json.data.map(({ index, embedding }: { index: number; embedding: number[] }) => [index, ...embedding]),
    texts.map((_, index) => [index, index]),
  )
  const sent = fake.requests.slice(asked).map(({ json: body }) => body as { requests: unknown[] })
  assert.deepEqual(
    sent.map(({ requests }) => requests.length),
    [100, 100, 50],
  )
  // 750 tokens at $0.15 for a million.
  assert.deepEqual([json.usage.prompt_tokens, row.prompt_tokens, row.total_cost], [750, 750, '0.0001125'])

  fake.script('gemini', { body: { json: reply(0, 100) } })
  fake.script('gemini', { error: { status: 429, message: 'slow down' } })
  const failed = await ask({ model: 'gemini-embedding-001', input: texts })
  assert.deepEqual([failed.status, failed.row.status_code, failed.row.prompt_tokens], [429, 429, 300])
})

test("Perplexity's signed bytes become numbers", async () => {
  const embedding = Buffer.from(new Int8Array([127, -128, 3])).toString('base64')
  const json = { object: 'list', data: [{ object: 'embedding', index: 0, embedding }], model: 'x', usage }
  fake.script('perplexity', { body: { json } })
  const { json: response, row, sent } = await ask({ model: 'pplx-embed-v1-4b', input: ['a'] })
  assert.deepEqual(response.data[0].embedding, [127, -128, 3])
  assert.deepEqual(
    [sent?.path, sent?.json],
    ['/v1/embeddings', { model: 'pplx-embed-v1-4b', input: ['a'], encoding_format: 'base64_int8' }],
  )
  // 1,000 tokens at $0.03 for a million.
  assert.deepEqual([row.provider, row.total_cost], ['perplexity', '0.00003'])
})

test("a provider's word before a slash names any of its embedding models; the log has the model's own name", async () => {
  for (const own of ['text-embedding-3-small', 'embed-next']) {
    fake.script('openai', { body: { json: openaiJson(own) } })
    const { status, text, row, sent } = await ask({ model: `openai/${own}`, input: 'a' })
    assert.equal(status, 200, text)
    assert.deepEqual([sent?.provider, sent?.json], ['openai', { model: own, input: 'a' }])
    assert.deepEqual([row.provider, row.model], ['openai', own])
  }
  fake.script('gemini', { body: { json: { embeddings: [{ values: vector }] } } })
  const google = await ask({ model: 'google/gemini-embedding-001', input: 'a' })
  assert.deepEqual([google.status, google.row.model], [200, 'gemini-embedding-001'])
  assert.equal(google.sent?.path, '/v1beta/models/gemini-embedding-001:batchEmbedContents')
  // Anthropic has no embeddings.
  const { status, json } = await ask({ model: 'anthropic/claude-sonnet-5-5', input: 'a' })
  assert.deepEqual([status, json.error.code], [404, 'model_not_found'])
})

test('OpenRouter and custom providers get the name without the prefix', async () => {
  const made = await server.call('/providers', {
    json: {
      id: 'lab',
      name: 'Lab',
      base_url: fake.baseUrls.OPENAI_BASE_URL,
      prefixes: ['lab/'],
      allow_private: true,
    },
  })
  assert.equal(made.status, 201, made.text)
  await server.call('/providers/lab', {
    json: { api_key: keyOf('lab') },
    headers: { accept: 'application/json' },
  })
  for (const [prefix, provider] of [
    ['openrouter/', 'openrouter'],
    ['lab/', 'openai'],
  ] as const) {
    fake.script(provider, { body: { json: openaiJson('x') } })
    const { status, text, sent } = await ask({ model: `${prefix}openai/text-embedding-3-small`, input: 'a' })
    assert.equal(status, 200, text)
    assert.deepEqual(sent?.json, { model: 'openai/text-embedding-3-small', input: 'a' })
  }
})

test('a model that is not there returns 404, and never vectors of another model', async () => {
  const before = fake.requests.length
  for (const model of [
    'text-embedding',
    'gpt-6-sol',
    'claude-sonnet-5-5',
    'gemini-3.8-flash',
    'sonar',
    'bge-m3',
  ]) {
    const { status, json, row } = await ask({ model, input: 'a' })
    assert.deepEqual([status, json.error.code, json.error.param], [404, 'model_not_found', 'model'], model)
    assert.deepEqual([row.status_code, row.model, row.provider], [404, model, null])
  }
  assert.equal(fake.requests.length, before)
})

test("a provider's error keeps its status, and a response without vectors returns 502", async () => {
  fake.script('openai', { error: { status: 400, message: 'too many tokens' } })
  assert.equal((await ask({ model: 'text-embedding-3-small', input: 'a' })).status, 400)
  for (const json of [{}, { data: 'x' }, []]) {
    fake.script('openai', { body: { json } })
    const { status, row } = await ask({ model: 'text-embedding-3-small', input: 'a' })
    assert.deepEqual([status, row.status_code], [502, 502])
  }
})

test('requests for vectors are logged, and emit no events', async () => {
  const embed = (path: string, json: object) => server.call(path, { key: server.key, json })
  assert.equal((await embed('/api/v1/embed', { text: 'a' })).status, 200)
  assert.equal((await embed('/api/v1/embed/batch', { texts: ['a'] })).status, 200)
  assert.equal((await embed('/api/v1/embed', { text: '' })).status, 400)
  assert.equal((await ask({ model: 'nomic-embed-text', input: 'a' })).status, 200)
  fake.script('openai', { error: { status: 500 } })
  assert.equal((await ask({ model: 'text-embedding-3-small', input: 'a' })).status, 502)
  await openai.chat.completions.create({ model: 'gpt-6-sol', messages: [{ role: 'user', content: 'a' }] })
  const calls = await waitFor('the event of the chat', async () => {
    const { json } = await server.call('/api/console/events?type=api_call,error&limit=100', {
      key: server.key,
    })
    return json.data.length > 0 && json.data
  })
  assert.deepEqual(
    calls.map(({ title }: { title: string }) => title),
    ['200 gpt-6-sol'],
  )
})
