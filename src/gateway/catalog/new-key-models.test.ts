import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'

const fake = await startFakeProvider()
after(() => fake.close())
const server = await startProduct({ ...fake.baseUrls, MODEL_SYNC_HOURS: '24' })
const pricing = { prompt: '0.000002', completion: '0.000008' }
fake.always(
  { provider: 'openrouter', endpoint: 'models' },
  { body: { json: { data: [{ id: 'house/one', pricing }] } } },
)

test("the models of a new key are synchronized, and requests are priced by the provider's list", async () => {
  const added = await server.call('/providers/openrouter', { json: { api_key: 'sk-or-new-key-0001' } })
  assert.equal(added.status, 201, added.text)
  const model = 'openrouter/house/one'
  await waitFor('the price', async () => {
    const { status, json } = await server.call(`/api/v1/pricing/${model}`, { key: server.key })
    return status === 200 && json.current?.source === 'synced'
  })
  fake.script('openrouter', { usage: { input: 1_000, output: 100 } })
  const response = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model, messages: [{ role: 'user', content: 'Hello' }] },
  })
  assert.equal(response.status, 200, response.text)
  const row = await waitFor('the row', async () => {
    const path = `/api/v1/logs/${response.headers.get('x-request-id')}`
    const { status, json } = await server.call(path, { key: server.key })
    return status === 200 && json
  })
  // 1,000 at $2 and 100 at $8 for a million.
  assert.deepEqual([row.input_cost, row.output_cost], ['0.002', '0.0008'])
})

test('a new key whose models cannot be listed is reported, and stays', async () => {
  fake.always({ provider: 'gemini', endpoint: 'models' }, { error: { status: 500 } })
  const added = await server.call('/providers/gemini', { json: { api_key: 'AIza-new-key-0001' } })
  assert.equal(added.status, 201)
  await waitFor('the event', async () => {
    const { json } = await server.call('/api/console/events?type=sync&limit=50')
    return json.data.some(
      ({ title }: { title: string }) => title === 'Models of Google Gemini could not be refreshed',
    )
  })
})
