import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

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
