import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startGateway } from '#test/gateway'

const server = await startGateway()
const json = { accept: 'application/json' }

function add(id: string, prefixes = [`${id}/`]) {
  const base_url = 'https://models.example.com/v1'
  return server.call('/providers', { json: { id, name: id, prefixes, base_url }, headers: json })
}
const remove = (id: string) => server.call(`/providers/${id}`, { method: 'DELETE', headers: json })
const rename = (id: string, name: string) =>
  server.call(`/providers/${id}`, { method: 'PATCH', json: { name }, headers: json })
const addKey = (id: string) =>
  server.call(`/providers/${id}`, { json: { name: 'key', api_key: 'sk-custom-0123456789' }, headers: json })

async function idsOf(): Promise<string[]> {
  const { providers } = (await server.call('/providers', { headers: json })).json as {
    providers: { id: string }[]
  }
  return providers.map(({ id }) => id)
}

const statuses = (all: readonly { status: number }[]) =>
  all.map(({ status }) => status).toSorted((a, b) => a - b)

test('of several that create one provider at once exactly one does', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => add('same')))
  assert.deepEqual(statuses(all), [201, 409, 409, 409, 409, 409, 409, 409])
})

test('a prefix gets one owner, also when two ask for it at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const prefix = [`shared-${round}/`]
    const both = await Promise.all([add(`left-${round}`, prefix), add(`right-${round}`, prefix)])
    assert.deepEqual(statuses(both), [201, 409])
  }
})

test('a change that races a removal never brings the provider back', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = `gone-${round}`
    assert.equal((await add(id)).status, 201)
    const [changed, removed] = await Promise.all([rename(id, 'Renamed'), remove(id)])
    assert.ok([200, 404].includes(changed.status), changed.text)
    assert.equal(removed.status, 204)
    assert.ok(!(await idsOf()).includes(id))
  }
})

test('a change counts in its process when it is answered, before any notification', async () => {
  const trigger = 'trigger providers_changed'
  await administer(`alter table gateway.providers disable ${trigger}`, databaseOf(server))
  assert.equal((await add('unheard')).status, 201)
  assert.equal((await addKey('unheard')).status, 201)
  assert.equal((await remove('unheard')).status, 204)
  assert.equal((await addKey('unheard')).status, 404)
  await administer(`alter table gateway.providers enable ${trigger}`, databaseOf(server))
})

test('a provider can be given a key right after it was created', async () => {
  for (let round = 0; round < 5; round += 1) {
    assert.equal((await add(`quick-${round}`)).status, 201)
    const key = await addKey(`quick-${round}`)
    assert.equal(key.status, 201, key.text)
  }
})

test('removing a provider erases its keys, and one with the same id starts without any', async () => {
  await add('erased')
  const { id } = (await addKey('erased')).json as { id: string }
  const reveal = () => server.call(`/providers/key/${id}/reveal`, { headers: json })
  assert.equal((await reveal()).status, 200)
  assert.equal((await remove('erased')).status, 204)
  assert.equal((await reveal()).status, 404)
  assert.equal((await add('erased')).status, 201)
  assert.equal((await reveal()).status, 404)
  const { providers } = (await server.call('/providers', { headers: json })).json as {
    providers: { id: string; accounts: { keys: unknown[] }[] }[]
  }
  assert.deepEqual(providers.find((provider) => provider.id === 'erased')?.accounts, [])
})
