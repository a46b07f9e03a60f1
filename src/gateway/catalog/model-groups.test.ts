import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway({ RUNTIME: 'builtin' })
const database = openDatabase(server.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())
const other = await addGroup('Other')
const model = 'openrouter/house/secret-prototype'

/** The provider shows a private model with a negotiated price to the first group's key only. */
server.fake.always({ provider: 'openrouter', endpoint: 'models' }, (request) => {
  const isOurs = JSON.stringify(request.headers).includes('sk-planted-openrouter')
  const priced = (id: string, prompt: string) => ({
    id,
    name: id,
    context_length: 1_000,
    pricing: { prompt, completion: '0.00002' },
  })
  const data = isOurs
    ? [priced('house/secret-prototype', '0.00000125'), priced('house/public', '0.000001')]
    : [priced('house/public', '0.000003')]
  return { body: { json: { data } } }
})

async function addGroup(name: string): Promise<{ id: string; key: string }> {
  const group = (await server.call('/api/v1/groups', { json: { name } })).json.id as string
  const made = await server.call('/api/v1/keys', {
    json: { name, group_id: group, scopes: ['gateway', 'read', 'admin'] },
  })
  assert.equal(made.status, 201, made.text)
  const key = (made.json.key ?? made.json.api_key) as string
  const added = await server.call('/providers/openrouter', {
    key,
    json: { api_key: 'sk-of-the-other-group-1' },
  })
  assert.equal(added.status, 201, added.text)
  return { id: group, key }
}

const sync = (key: string) =>
  server.call('/providers/openrouter/models/sync', { method: 'POST', key, json: {} })
const listed = async (key: string): Promise<{ id: string; input_price_per_1m: string | null }[]> =>
  (await server.call('/v1/models', { key })).json.data
const idsIn = async (key: string) => (await listed(key)).map(({ id }) => id).filter((id) => /house/.test(id))
const priceOf = async (key: string, id: string) => (await server.call(`/api/v1/pricing/${id}`, { key })).json

test('a group sees and pays by the list that its own key fetched, and by no other', async () => {
  assert.equal((await sync(server.key)).json.added, 2)
  assert.deepEqual(await idsIn(server.key), ['openrouter/house/public', model])
  assert.deepEqual(await idsIn(other.key), ['openrouter/house/public'])
  assert.equal((await server.call(`/v1/models/${model}`, { key: other.key })).status, 404)
  assert.equal((await sync(other.key)).json.added, 1)
  const price = (key: string) =>
    waitFor('the synchronised price', async () => {
      const { current } = await priceOf(key, 'openrouter/house/public')
      return current?.source === 'synced' && (current.input_price_per_1m as string)
    })
  assert.deepEqual([await price(server.key), await price(other.key)], ['1', '3'])
  assert.equal((await priceOf(server.key, model)).current.input_price_per_1m, '1.25')
  assert.equal((await priceOf(other.key, model)).error.code, 'not_found')
  const all = await server.call('/api/v1/pricing', { key: other.key })
  assert.ok(!all.text.includes('secret-prototype'), all.text)
})

test("a synchronisation of one group leaves the other's list as it is", async () => {
  assert.deepEqual((await sync(other.key)).json.removed, 0)
  assert.deepEqual(await idsIn(server.key), ['openrouter/house/public', model])
})

test('the search of a group finds its own models only', async () => {
  const find = async (key: string) =>
    (await server.call('/api/v1/search', { key, json: { query: 'secret-prototype', kinds: ['model'] } })).json
      .results as { title: string }[]
  await waitFor('the model to be indexed', async () =>
    (await find(server.key)).some(({ title }) => title === 'house/secret-prototype'),
  )
  const theirs = await find(other.key)
  assert.ok(!theirs.some(({ title }) => title.includes('secret')), JSON.stringify(theirs))
})

test('the models of a custom provider are erased with it', async () => {
  const base = { id: 'house', name: 'House', prefixes: ['house/'], base_url: 'https://house.example' }
  const add = () => server.call('/providers', { key: server.key, json: base })
  assert.equal((await add()).status, 201)
  const { pool } = database
  const count = async () =>
    (await pool.query(`select count(*)::int as n from gateway.models where provider_id = 'house'`)).rows[0]
  await pool.query(
    `insert into gateway.models (group_id, provider_id, id, synced_at) values ($1, 'house', 'house/x', now())`,
    [server.first.groupId],
  )
  assert.deepEqual(await count(), { n: 1 })
  assert.equal((await server.call('/providers/house', { method: 'DELETE', key: server.key })).status, 204)
  assert.deepEqual(await count(), { n: 0 })
})
