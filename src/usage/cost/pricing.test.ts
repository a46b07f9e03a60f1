import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { exampleModels, startGateway } from '#test/gateway'
import { call } from '#test/product'
import { waitFor } from '#test/wait'

const product = await startGateway()
const { openai, fake } = product
const asAdmin = { key: product.key }
const hello = [{ role: 'user' as const, content: 'Hello' }]

const put = (model: string, json: unknown) =>
  product.call(`/api/v1/pricing/${model}`, { ...asAdmin, method: 'PUT', json })
const get = (path: string) => product.call(path, asAdmin)

async function sql<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  assert.ok(product.target.kind === 'embedded')
  const client = new pg.Client({ ...product.target.address, database: product.target.database })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

interface CostRow {
  id: string
  input_cost: string | null
  output_cost: string | null
  total_cost: string | null
  price_id: string | null
  usage_source: string
  prompt_tokens: number
  completion_tokens: number
}

async function newest(model: string): Promise<CostRow> {
  const { status, json, text } = await get(`/api/v1/logs?limit=1&model=${encodeURIComponent(model)}`)
  assert.equal(status, 200, text)
  return json.data[0] as CostRow
}

test('a price that is set counts for the next request, and an older request keeps its own', async () => {
  const model = exampleModels.anthropic
  fake.script('anthropic', { usage: { input: 1_000, output: 200 } })
  const first = await put(model, { input_price_per_1m: '3', output_price_per_1m: 15 })
  assert.equal(first.status, 200, first.text)
  await openai.chat.completions.create({ model, messages: hello })
  const before = await newest(model)
  const tokens = before.prompt_tokens
  // By hand: tokens × price / 1,000,000.
  assert.equal(Number(before.input_cost), (tokens * 3) / 1e6)
  assert.equal(Number(before.output_cost), (before.completion_tokens * 15) / 1e6)
  assert.equal(before.price_id, first.json.id)

  const second = await put(model, { input_price_per_1m: '4.5', output_price_per_1m: '20' })
  await openai.chat.completions.create({ model, messages: hello })
  const after = await newest(model)
  assert.equal(Number(after.input_cost), (after.prompt_tokens * 4.5) / 1e6)
  assert.equal(after.price_id, second.json.id)
  const old = await get(`/api/v1/logs/${before.id}`)
  assert.equal(old.status, 200, old.text)
  assert.deepEqual([old.json.input_cost, old.json.price_id], [before.input_cost, first.json.id])
})

test('a change closes the row and opens another at the same moment', async () => {
  await put('closing-model', { input_price_per_1m: '1', output_price_per_1m: '2' })
  await put('closing-model', { input_price_per_1m: '3', output_price_per_1m: '4' })
  const { json } = await get('/api/v1/pricing/closing-model')
  const [now, past] = json.history
  assert.deepEqual([now.input_price_per_1m, now.effective_to], ['3', null])
  assert.deepEqual([past.input_price_per_1m, past.effective_to], ['1', now.effective_from])
  assert.deepEqual(json.current, now)
})

test('a custom price takes precedence over the built-in one, which applies again after it ends', async () => {
  const model = 'gpt-4.1'
  const listed = await get(`/api/v1/pricing/${model}`)
  assert.deepEqual(
    [listed.json.current.source, listed.json.current.input_price_per_1m, listed.json.history],
    ['built_in', '2', []],
  )
  await put(model, { input_price_per_1m: 1.5, output_price_per_1m: 7, cache_read_price_per_1m: null })
  assert.equal((await get(`/api/v1/pricing/${model}`)).json.current.source, 'own')
  const ended = await product.call(`/api/v1/pricing/${model}`, { ...asAdmin, method: 'DELETE' })
  assert.equal(ended.status, 204)
  const shown = await get(`/api/v1/pricing/${model}`)
  assert.equal(shown.json.current.source, 'built_in')
  assert.equal(shown.json.history[0].source, 'own')
  assert.equal((await product.call(`/api/v1/pricing/${model}`, { ...asAdmin, method: 'DELETE' })).status, 404)
})

test('the list has custom prices, and a built-in one after its first use', async () => {
  const model = exampleModels.openai
  const sources = async (): Promise<string[]> =>
    (await get(`/api/v1/pricing?model=${model}`)).json.data.map((each: { source: string }) => each.source)
  assert.deepEqual(await sources(), [])
  await openai.chat.completions.create({ model, messages: hello })
  const row = await newest(model)
  assert.deepEqual(await sources(), ['built_in'])
  const [price] = (await get(`/api/v1/pricing?model=${model}`)).json.data
  assert.equal(price.id, row.price_id)
  await put(model, { input_price_per_1m: 9, output_price_per_1m: 9 })
  assert.deepEqual(await sources(), ['own'])
  await product.call(`/api/v1/pricing/${model}`, { ...asAdmin, method: 'DELETE' })
})

test('model ids may hold slashes, and many prices are set all or none', async () => {
  const prices = { input_price_per_1m: '0.5', output_price_per_1m: '1' }
  const many = (json: unknown) => product.call('/api/v1/pricing', { ...asAdmin, method: 'PUT', json })
  const set = await many([
    { model_id: 'openrouter/vendor/one', ...prices },
    { model_id: 'openrouter/vendor/two:free', ...prices, input_price_per_1m: 0 },
  ])
  assert.equal(set.status, 200, set.text)
  assert.equal((await get('/api/v1/pricing/openrouter/vendor/two:free')).json.current.input_price_per_1m, '0')
  const refused = await many([
    { model_id: 'openrouter/vendor/three', ...prices },
    { model_id: 'openrouter/vendor/four', ...prices, output_price_per_1m: '-1' },
  ])
  assert.deepEqual([refused.status, refused.json.error.param], [400, '1.output_price_per_1m'])
  assert.equal((await get('/api/v1/pricing/openrouter/vendor/three')).status, 404)
  const twice = await many([
    { model_id: 'a', ...prices },
    { model_id: 'a', ...prices },
  ])
  assert.deepEqual([twice.status, twice.json.error.param], [400, '1.model_id'])
})

test('what is no price is refused by a 400 that names the field', async () => {
  const good = { input_price_per_1m: '1', output_price_per_1m: '1' }
  const bad = ['-1', 'NaN', '1e5', '', '1,5', '1'.repeat(10), `0.${'1'.repeat(13)}`, -0.5, 1e10, 1e-13]
  for (const value of bad) {
    const { status, json } = await put('refused', { ...good, cache_read_price_per_1m: value })
    assert.deepEqual([status, json.error.param], [400, 'cache_read_price_per_1m'], String(value))
  }
  assert.equal((await put('refused', { input_price_per_1m: '1' })).status, 400)
  const tier = { above_tokens: 1000, input_price_per_1m: 'much' }
  assert.equal(
    (await put('refused', { ...good, tiers: [tier] })).json.error.param,
    'tiers.0.input_price_per_1m',
  )
  const unit = await put('refused', { ...good, unit_prices: { web_search: -1 } })
  assert.equal(unit.json.error.param, 'unit_prices.web_search')
  assert.equal((await put('bad%00name', good)).status, 400)
  assert.equal((await get('/api/v1/pricing/refused')).status, 404)
})

test('own tiers and units count', async () => {
  const model = exampleModels.gemini
  const set = await put(model, {
    input_price_per_1m: '1',
    output_price_per_1m: '2',
    tiers: [{ above_tokens: 2, input_price_per_1m: '10' }],
  })
  assert.equal(set.status, 200, set.text)
  fake.script('gemini', { usage: { input: 1_000, output: 50 } })
  await openai.chat.completions.create({ model, messages: hello })
  const row = await newest(model)
  assert.ok(row.prompt_tokens > 2)
  assert.equal(Number(row.input_cost), (row.prompt_tokens * 10) / 1e6)
  assert.equal(Number(row.output_cost), (row.completion_tokens * 2) / 1e6)
})

test('prices are read with the read scope and set with admin, in the own group only', async () => {
  const made = await product.call('/api/v1/keys', { json: { name: 'reader', scopes: ['read'] } })
  const key = (made.json.key ?? made.json.api_key) as string
  assert.ok(key, made.text)
  assert.equal((await product.call('/api/v1/pricing', { key })).status, 200)
  const json = { input_price_per_1m: '1', output_price_per_1m: '1' }
  assert.equal((await product.call('/api/v1/pricing/x', { key, method: 'PUT', json })).status, 403)
  assert.equal((await product.call('/api/v1/pricing/x', { key, method: 'DELETE' })).status, 403)
  assert.equal(
    (await call(product.url, '/api/v1/pricing', { headers: { 'x-forwarded-for': '1.2.3.4' } })).status,
    401,
  )
})

test('a synchronised price counts for its group, and a change of it opens a new row', async () => {
  const model = exampleModels.openrouter
  const sync = () =>
    product.call('/providers/openrouter/models/sync', { ...asAdmin, method: 'POST', json: {} })
  assert.equal((await sync()).status, 200)
  const source = async () => (await get(`/api/v1/pricing/${model}`)).json.current.source as string
  await until(async () => (await source()) === 'synced')
  const listed = (await get(`/api/v1/pricing/${model}`)).json.current
  await sql('update gateway.models set input_price_per_1m = 123.25 where id = $1', [model])
  await until(
    async () => (await get(`/api/v1/pricing/${model}`)).json.current.input_price_per_1m === '123.25',
  )
  const { history } = (await get(`/api/v1/pricing/${model}`)).json
  assert.equal(history.length, 2)
  assert.deepEqual([history[1].id, history[1].effective_to], [listed.id, history[0].effective_from])
  await sql('delete from gateway.models where id = $1', [model])
  await until(async () => (await source()) === 'built_in')
})

test('a list of models tells what a request would be priced by', async () => {
  await put('claude-sonnet-5-5', { input_price_per_1m: '2.75', output_price_per_1m: '11' })
  const { json, text } = await get('/v1/models')
  const prices = new Map<string, string | null>(
    json.data.map((each: { id: string; input_price_per_1m: string | null }) => [
      each.id,
      each.input_price_per_1m,
    ]),
  )
  assert.equal(prices.get('claude-sonnet-5-5'), '2.75', text.slice(0, 500))
  assert.equal(prices.get(exampleModels.openai), '2')
})

test('setting and ending a price emits an event', () => {
  const told = product
    .logged()
    .split('\n')
    .filter((line) => line.includes('"event":"price.changed"'))
    .map((line) => JSON.parse(line) as { change: string; modelId: string })
  assert.ok(told.some((event) => event.change === 'set' && event.modelId === 'gpt-4.1'))
  assert.ok(told.some((event) => event.change === 'ended' && event.modelId === 'gpt-4.1'))
})

test('an unknown price is null; a request that failed before it used anything costs nothing', async () => {
  const model = 'gpt-nobody-knows'
  fake.script('openai', { unchecked: true })
  await openai.chat.completions.create({ model, messages: hello })
  const unknown = await newest(model)
  assert.deepEqual([unknown.input_cost, unknown.output_cost, unknown.total_cost], [null, null, null])
  fake.script('openai', { error: { status: 500, message: 'broken' } })
  await assert.rejects(openai.chat.completions.create({ model: 'gpt-4.1-mini', messages: hello }))
  const failed = await newest('gpt-4.1-mini')
  assert.deepEqual([failed.total_cost, failed.usage_source, failed.price_id], ['0', 'none', null])
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await waitFor('the condition', isSo)
}

test('at the moment of a change a request is priced by the row in force when it began', async () => {
  const model = exampleModels.gemini
  await put(model, { input_price_per_1m: '1', output_price_per_1m: '1' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const usage = { input: 1_000, output: 0 }
  fake.script('gemini', async () => {
    await released
    return { usage }
  })
  const before = openai.chat.completions.create({ model, messages: hello }).withResponse()
  await waitFor('the request', () => fake.requests.at(-1)?.provider === 'gemini')
  const changed = await put(model, { input_price_per_1m: '2', output_price_per_1m: '2' })
  release()
  fake.script('gemini', { usage })
  const after = openai.chat.completions.create({ model, messages: hello }).withResponse()
  const ids = [await before, await after].map(({ response }) => response.headers.get('x-request-id'))
  const inputCosts = async () =>
    Promise.all(ids.map(async (id) => (await get(`/api/v1/logs/${id}`)).json.input_cost))
  assert.deepEqual(await inputCosts(), ['0.001', '0.002'])
  // As another process would have priced it that had not heard of the change yet.
  await sql(`update usage.usage_logs set input_cost = 0.001 where price_id = $1`, [changed.json.id])
  await waitFor('the correction', async () => (await inputCosts())[1] === '0.002')
  assert.equal((await inputCosts())[0], '0.001')
})

test('a response that cannot be read has an unknown cost; one that refuses costs nothing', async () => {
  const model = exampleModels.openai
  const costOf = async (reply: object) => {
    fake.script('openai', reply)
    const { status, headers } = await product.call('/v1/chat/completions', {
      ...asAdmin,
      json: { model, messages: hello },
    })
    assert.equal(status, 502)
    return (await get(`/api/v1/logs/${headers.get('x-request-id')}`)).json.total_cost
  }
  assert.equal(await costOf({ body: '{"choices": [' }), null)
  assert.equal(await costOf({ error: { status: 500, message: 'broken' } }), '0')
})
