import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import OpenAI from 'openai'
import { createTestDatabase } from '#test/database'
import { startProduct } from '#test/product'
import { startFakeRuntime } from '#test/runtime'
import { waitFor } from '#test/wait'

const nobody = 'http://127.0.0.1:9'
const server = await startProduct({ RUNTIME_URL: nobody })
const { call } = server
const embed = async (text: string): Promise<number[]> => {
  const { status, json, text: said } = await call('/api/v1/embed', { json: { text } })
  assert.equal(status, 200, said)
  return json.embedding
}
const cosine = (a: number[], b: number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

test('a fresh start without a runtime embeds with the built-in model', async () => {
  const { status, json } = await call('/api/v1/embed', { json: { text: 'The deployment failed.' } })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['embedding', 'model', 'dimensions'])
  assert.equal(json.model, 'signalbox-static-768')
  assert.equal(json.dimensions, 768)
  assert.equal(json.embedding.length, 768)
  assert.ok(Math.abs(Math.hypot(...json.embedding) - 1) < 1e-6)
})

test('related sentences are nearer than unrelated ones', async () => {
  const [question, reply, other] = await Promise.all([
    embed('How can I reset my password?'),
    embed('I forgot my login credentials'),
    embed('Penguins live in the southern hemisphere'),
  ])
  assert.ok(cosine(question, reply) > 0.5)
  assert.ok(cosine(question, other) < 0.2)
})

test('a batch keeps its order and counts', async () => {
  const texts = Array.from({ length: 300 }, (_, index) => `sentence number ${index} about trains`)
  const { status, json } = await call('/api/v1/embed/batch', { json: { texts, task: 'clustering' } })
  assert.equal(status, 200)
  assert.equal(json.count, 300)
  assert.equal(json.dimensions, 768)
  assert.equal(json.model, 'signalbox-static-768')
  for (const index of [0, 17, 299]) assert.deepEqual(json.embeddings[index], await embed(texts[index] ?? ''))
})

test('bad input returns 400 and names the field', async () => {
  const cases: [string, unknown, string | null][] = [
    ['/api/v1/embed', { text: '' }, 'text'],
    ['/api/v1/embed', { text: '   ' }, 'text'],
    ['/api/v1/embed', {}, 'text'],
    ['/api/v1/embed', { text: 7 }, 'text'],
    ['/api/v1/embed', { text: 'a\ud800b' }, 'text'],
    ['/api/v1/embed', { text: 'a', task: 'poetry' }, 'task'],
    ['/api/v1/embed', { text: 'a'.repeat(1_048_577) }, 'text'],
    ['/api/v1/embed/batch', { texts: [] }, 'texts'],
    ['/api/v1/embed/batch', { texts: 'a' }, 'texts'],
    ['/api/v1/embed/batch', { texts: ['a', ''] }, 'texts[1]'],
    ['/api/v1/embed/batch', { texts: Array.from({ length: 2_049 }, () => 'a') }, 'texts'],
    ['/api/v1/embed/batch', { texts: ['a', 'a'.repeat(1_048_577)] }, 'texts[1]'],
  ]
  for (const [path, json, param] of cases) {
    const response = await call(path, { json })
    assert.equal(response.status, 400, `${path} ${JSON.stringify(json).slice(0, 80)}`)
    assert.equal(response.json.error.code, 'invalid_request')
    assert.equal(response.json.error.param, param, response.text.slice(0, 200))
  }
  const wrong = await call('/api/v1/embed/batch', { json: { texts: ['a', 5] } })
  assert.equal(wrong.status, 400)
  assert.match(wrong.json.error.param, /^texts/)
})

test('odd texts have vectors: emoji, right-to-left, a mebibyte without a space', async () => {
  for (const text of ['🎉👩‍👩‍👧', 'مرحبا بالعالم', '\u200b', 'x'.repeat(1_048_576), '数据库迁移'])
    assert.ok(Math.abs(Math.hypot(...(await embed(text))) - 1) < 1e-6)
})

test('health and models say what makes the vectors', async () => {
  const health = await fetch(`${server.url}/health`)
  assert.equal(health.status, 200)
  assert.deepEqual(await health.json(), {
    status: 'degraded',
    service: 'signalbox-embeddings',
    version: '0.1.0',
    runtime: 'disconnected',
    runtime_url: nobody,
    model: 'signalbox-static-768',
  })
  const models = await call('/api/v1/models')
  assert.deepEqual(models.json, {
    current_model: 'signalbox-static-768',
    embedding_models: ['signalbox-static-768:latest'],
    all_models: ['signalbox-static-768:latest'],
  })
  const status = await call('/api/v1/embeddings/status')
  assert.equal(status.json.driver, 'builtin')
  assert.match(status.json.fingerprint, /^signalbox-static-768:[0-9a-f]{16}$/)
})

test("OpenAI's own client works, in both encodings", async () => {
  const openai = new OpenAI({ apiKey: server.key, baseURL: `${server.url}/v1`, maxRetries: 0 })
  const input = ['the first text', 'the second text']
  const embedded = await openai.embeddings.create({ model: 'nomic-embed-text', input })
  const plain = await openai.embeddings.create({
    model: 'signalbox-static-768',
    input,
    encoding_format: 'float',
  })
  assert.deepEqual(embedded.usage, { prompt_tokens: 6, total_tokens: 6 })
  assert.equal(embedded.model, 'signalbox-static-768')
  for (const [index, text] of input.entries()) {
    const expected = await embed(text)
    assert.equal(embedded.data[index]?.index, index)
    for (const { data } of [embedded, plain])
      expected.forEach((value, at) => assert.ok(Math.abs(value - (data[index]?.embedding[at] ?? 9)) < 1e-7))
  }
})

test('the OpenAI route refuses what it cannot do, by name', async () => {
  const cases: [unknown, number, string][] = [
    [{ input: '' }, 400, 'input'],
    [{ input: [] }, 400, 'input'],
    [{ input: ['a', ''] }, 400, 'input[1]'],
    [{ input: [1, 2, 'a'] }, 400, 'input'],
    [{ input: [100_277] }, 400, 'input'],
    [{ input: [100_256] }, 400, 'input'],
    [{ input: [1, 100_261] }, 400, 'input'],
    [{ input: ['a', [1], [100_275]] }, 400, 'input[2]'],
    [{ input: [[1, 2], [1.5]] }, 400, 'input[1]'],
    [{ input: ['a', [-1]] }, 400, 'input[1]'],
    [{ input: ['a', { text: 'b' }] }, 400, 'input[1]'],
    [{ input: [[1], []] }, 400, 'input[1]'],
    [{ input: 'a', dimensions: 256 }, 400, 'dimensions'],
    [{ input: 'a', encoding_format: 'int8' }, 400, 'encoding_format'],
    [{ input: 'a', model: 'text-embedding-3-large' }, 404, 'model'],
  ]
  for (const [json, status, param] of cases) {
    const response = await call('/v1/embeddings', { json, key: server.key })
    assert.equal(response.status, status, JSON.stringify(json))
    assert.equal(response.json.error.param, param)
  }
  assert.equal((await call('/v1/embeddings', { json: { input: 'a' } })).status, 401)
})

test('arrays of token numbers, as LangChain sends them, have the vectors of their texts', async () => {
  // "hello world" and " tiktoken is great!" in cl100k_base.
  const hello = [15_339, 1_917]
  const great = [87_272, 5_963, 374, 2_294, 0]
  const vectors = async (input: unknown): Promise<number[][]> => {
    const { status, json, text } = await call('/v1/embeddings', { json: { input }, key: server.key })
    assert.equal(status, 200, text)
    return json.data.map(({ embedding }: { embedding: number[] }) => embedding)
  }
  const [first, second] = await vectors(['hello world', ' tiktoken is great!'])
  assert.deepEqual(await vectors([hello, great]), [first, second])
  assert.deepEqual(await vectors(hello), [first])
  assert.deepEqual(await vectors(['hello world', great]), [first, second])
})

test('an array of token numbers that ends within a character changes no other text', async () => {
  // "hello" and " world", the first two bytes of a euro sign (0xe2 0x82), and its last (0xac).
  const [hello, world, begins, ends] = [15_339, 1_917, [158, 224], 105]
  const vectors = async (input: unknown): Promise<number[][]> => {
    const { status, json, text } = await call('/v1/embeddings', { json: { input }, key: server.key })
    assert.equal(status, 200, text)
    return json.data.map(({ embedding }: { embedding: number[] }) => embedding)
  }
  const expected = await vectors(['hello€', 'hello\ufffd', ' world\ufffd'])
  assert.notDeepEqual(expected[0], expected[1])
  assert.deepEqual(await vectors([hello, ...begins, ends]), expected.slice(0, 1))
  assert.deepEqual(await vectors([hello, ...begins]), expected.slice(1, 2))
  assert.deepEqual(await vectors([world, ends]), expected.slice(2))
  assert.deepEqual(
    await vectors([
      [hello, ...begins],
      [world, ends],
    ]),
    expected.slice(1),
  )
})

test('embedding calls are in the log: tokens counted, cost 0', async () => {
  const calls: [string, unknown, number, number][] = [
    ['/api/v1/embed', { text: 'the first text' }, 200, 3],
    ['/api/v1/embed/batch', { texts: ['the first text', 'the second text'] }, 200, 6],
    ['/v1/embeddings', { input: 'the first text', user: 'ann' }, 200, 3],
    ['/v1/embeddings', { input: '' }, 400, 0],
    ['/api/v1/embed', { text: 7 }, 400, 0],
  ]
  for (const [path, json, status, tokens] of calls) {
    const response = await call(path, { json, key: server.key })
    assert.equal(response.status, status, response.text)
    const { json: row } = await call(`/api/v1/logs/${response.headers.get('x-request-id')}`, {
      key: server.key,
    })
    assert.deepEqual([row.endpoint, row.status_code, row.prompt_tokens], [path, status, tokens])
    assert.equal(row.user_label, path === '/v1/embeddings' && status === 200 ? 'ann' : null)
    if (status === 200)
      assert.deepEqual([row.provider, row.model, row.total_cost], ['signalbox', 'signalbox-static-768', '0'])
  }
})

test('a key without the scope is refused', async () => {
  const made = await call('/api/v1/keys', { json: { name: 'reader', scopes: ['read'] } })
  assert.equal(made.status, 201, made.text)
  const response = await call('/api/v1/embed', { json: { text: 'a' }, key: made.json.key })
  assert.equal(response.status, 403)
})

test('RUNTIME=builtin is healthy, and without the role there is no route', async () => {
  const embedded = await startProduct({ RUNTIME: 'builtin', RUNTIME_URL: nobody })
  const { json } = await embedded.call('/health')
  assert.deepEqual([json.status, json.runtime, json.model], ['healthy', 'builtin', 'signalbox-static-768'])
  const without = await startProduct({ ROLES: 'gateway' })
  assert.equal((await without.call('/health')).status, 404)
  assert.equal((await without.call('/api/v1/embed', { json: { text: 'a' } })).status, 404)
})

for (const wires of ['ollama', 'openai'] as const) {
  test(`auto takes a runtime with the API ${wires}, keeps it while it is unavailable, and uses it when it is back`, async () => {
    const fake = await startFakeRuntime(wires)
    after(() => fake.stop())
    const own = await startProduct({ RUNTIME_URL: fake.url })
    const text = 'a text'
    const embedded = await own.call('/api/v1/embed', { json: { text, task: 'search_query' } })
    assert.equal(embedded.json.model, 'nomic-embed-text')
    const expected = fake.vectorOf(`search_query: ${text}`)
    expected.forEach((value, at) => assert.ok(Math.abs(value - embedded.json.embedding[at]) < 1e-7))
    const health = await own.call('/health')
    assert.deepEqual([health.status, health.json.status, health.json.runtime], [200, 'healthy', 'connected'])
    const models = await own.call('/api/v1/models')
    assert.equal(models.json.current_model, 'nomic-embed-text')
    assert.deepEqual(models.json.all_models, fake.models)

    await fake.stop()
    const gone = await own.call('/api/v1/embed', { json: { text: 'another' } })
    assert.deepEqual([gone.status, gone.json.error.code], [503, 'runtime_unavailable'])
    assert.ok(gone.headers.get('retry-after'))
    const unhealthy = await waitFor('the health to be probed again', async () => {
      const response = await own.call('/health')
      return response.status === 503 && response
    })
    assert.deepEqual([unhealthy.json.status, unhealthy.json.runtime], ['unhealthy', 'disconnected'])
    await fake.restart()
    assert.equal((await own.call('/api/v1/embed', { json: { text: 'another' } })).status, 200)
  })
}

test('one bad text of a batch is named by the field, a wrong model by what to do, and a broken runtime is unavailable', async () => {
  const fake = await startFakeRuntime('ollama')
  after(() => fake.stop())
  const own = await startProduct({ RUNTIME: 'ollama', RUNTIME_URL: fake.url })
  fake.isBad = (text) => text.endsWith('number 17')
  const texts = Array.from({ length: 60 }, (_, index) => `number ${index}`)
  const response = await own.call('/api/v1/embed/batch', { json: { texts } })
  assert.deepEqual(
    [response.status, response.json.error.code, response.json.error.param],
    [502, 'provider_error', 'texts[17]'],
  )
  fake.isBad = () => false
  fake.fault = '767 numbers'
  const wrong = await own.call('/api/v1/embed', { json: { text: 'x' } })
  assert.equal(wrong.status, 502)
  assert.match(wrong.json.error.message, /767 numbers; 768 are needed. Choose another EMBEDDING_MODEL/)
  fake.fault = 'broken'
  const broken = await own.call('/api/v1/embed', { json: { text: 'y' } })
  assert.deepEqual([broken.status, broken.json.error.code], [503, 'runtime_unavailable'])
})

test('a caller who goes away gives up the place, and that is no error of ours', async () => {
  const fake = await startFakeRuntime('ollama')
  after(() => fake.stop())
  const own = await startProduct({ RUNTIME: 'ollama', RUNTIME_URL: fake.url })
  fake.delayMs = 100
  const texts = Array.from({ length: 640 }, (_, index) => `waiting ${index}`)
  const gone = fetch(`${own.url}/api/v1/embed/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${own.key}` },
    body: JSON.stringify({ texts }),
    signal: AbortSignal.timeout(150),
  })
  await assert.rejects(gone, { name: 'TimeoutError' })
  const waiting = async (): Promise<number> =>
    (await own.call('/api/v1/embeddings/status')).json.queue.interactive
  await waitFor('an empty queue', async () => (await waiting()) === 0)
  assert.ok(fake.batches.length < 20, `${fake.batches.length} batches were requested`)
  assert.doesNotMatch(own.logged(), /a request failed/)
})

test('a long text is cut between words before a runtime sees it', async () => {
  const fake = await startFakeRuntime('openai')
  after(() => fake.stop())
  const own = await startProduct({
    RUNTIME: 'openai',
    RUNTIME_URL: `${fake.url}/v1`,
    EMBEDDING_CONTEXT: '32',
  })
  const { status } = await own.call('/api/v1/embed', { json: { text: 'word '.repeat(100) } })
  assert.equal(status, 200)
  // 32 tokens less the two at the ends; the prefix is four: search, _, document, and the colon.
  assert.equal(fake.batches[0]?.[0], `search_document: ${'word '.repeat(26).trimEnd()}`)
})

test('a start decides for all its workers, and the next start may decide otherwise', async () => {
  const fake = await startFakeRuntime('ollama')
  after(() => fake.stop())
  const target = await createTestDatabase()
  const settings = { RUNTIME_URL: fake.url }
  const first = await startProduct(settings, target)
  const fingerprint = async (own: typeof first): Promise<string> =>
    (await own.call('/api/v1/embeddings/status')).json.fingerprint
  const chosen = await fingerprint(first)
  assert.equal(chosen, 'ollama:nomic-embed-text:aaaaaaaaaaaaaaaa')
  await first.stop()
  await fake.stop()
  const later = await startProduct(settings, target)
  assert.match(await fingerprint(later), /^signalbox-static-768:/)
  assert.match(later.logged(), /the embedding model has changed/)
  assert.equal((await later.call('/health')).json.status, 'degraded')
})

test('a batch whose client disconnects is dropped, and its request to the runtime is cancelled', async () => {
  const fake = await startFakeRuntime()
  after(() => fake.stop())
  const own = await startProduct({ RUNTIME: 'ollama', RUNTIME_URL: fake.url })
  fake.fault = 'hangs'
  const client = new AbortController()
  const texts = Array.from({ length: 2_048 }, (_, index) => `text ${index}`)
  const request = fetch(`${own.url}/api/v1/embed/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ texts }),
    signal: client.signal,
  })
  const queue = async () => (await own.call('/api/v1/embeddings/status', { key: own.key })).json.queue
  await waitFor('the batch to run', async () => (await queue()).running > 0)
  client.abort()
  await assert.rejects(request, { name: 'AbortError' })
  await waitFor('the queue to be empty', async () => {
    const { interactive, running } = await queue()
    return interactive === 0 && running === 0
  })
  fake.fault = undefined
  const batches = fake.batches.length
  assert.equal((await own.call('/api/v1/embed', { key: own.key, json: { text: 'single' } })).status, 200)
  assert.equal(fake.batches.length, batches + 1, 'nothing of the batch was sent any more')
})
