import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const listed = { id: 'house/one', name: 'One', created: 1_790_000_000, context_length: 1_000 }
let page: { json: unknown } | string = { json: { data: [listed] } }
server.fake.always({ provider: 'openrouter', endpoint: 'models' }, () => ({ body: page }))

const sync = () =>
  server.call('/providers/openrouter/models/sync', { method: 'POST', key: server.key, json: {} })

async function stored(): Promise<[string, number][]> {
  const { data } = (await server.call('/v1/models', { key: server.key })).json as {
    data: { id: string; created: number; owned_by: string }[]
  }
  return data.filter((model) => model.owned_by === 'openrouter').map(({ id, created }) => [id, created])
}

test('the time that a list gives for a model is kept', async () => {
  const first = await sync()
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(await stored(), [['openrouter/house/one', 1_790_000_000]])
  assert.equal((await sync()).json.updated, 0)
})

test('an empty list, and a page that is not JSON, return 502 and leave the stored models', async () => {
  for (const broken of [{ json: { data: [] } }, '<h1>Down for maintenance</h1>']) {
    page = broken
    const refused = await sync()
    assert.equal(refused.status, 502, refused.text)
    assert.equal((refused.json.error as { code: string }).code, 'provider_error')
    assert.deepEqual(await stored(), [['openrouter/house/one', 1_790_000_000]])
  }
})

test('long prompts, long cache writes and searches are priced as the list says', async () => {
  const pricing = {
    prompt: '0.000001',
    completion: '0.000002',
    input_cache_write_1h: '0.000003',
    web_search: '0.01',
    overrides: [{ min_prompt_tokens: 1_000, prompt: '0.000004', completion: '0.000005' }],
  }
  page = { json: { data: [{ ...listed, id: 'house/tiered', pricing }] } }
  assert.equal((await sync()).status, 200)
  assert.equal((await sync()).json.updated, 0)
  const model = 'openrouter/house/tiered'
  const current = await waitFor('the price', async () => {
    const { status, json } = await server.call(`/api/v1/pricing/${model}`, { key: server.key })
    return status === 200 && json.history.length === 1 && json.current
  })
  assert.deepEqual(
    [current.cache_write_long_price_per_1m, current.unit_prices, current.tiers],
    [
      '3',
      { web_search: '0.01' },
      [{ above_tokens: 1_000, input_price_per_1m: '4', output_price_per_1m: '5' }],
    ],
  )
  const costs = []
  for (const input of [1_000, 2_000]) {
    server.fake.script('openrouter', { usage: { input, output: 100 } })
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const { response } = await server.openai.chat.completions.create({ model, messages }).withResponse()
    const { json } = await server.call(`/api/v1/logs/${response.headers.get('x-request-id')}`, {
      key: server.key,
    })
    costs.push([json.input_cost, json.output_cost])
  }
  // 1,000 × 1 and 100 × 2, then 2,000 × 4 and 100 × 5, for a million.
  assert.deepEqual(costs, [
    ['0.001', '0.0002'],
    ['0.008', '0.0005'],
  ])
})
