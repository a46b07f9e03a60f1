import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

const server = await startGateway()
const headers = { accept: 'application/json' }
const rounds = 8

type Response = Awaited<ReturnType<typeof server.call>>
const post = (path: string, json?: object): Promise<Response> =>
  server.call(path, { method: 'POST', headers, ...(json && { json }) })
const addKey = (provider: string) => post(`/providers/${provider}`, { api_key: 'a-secret-of-a-race-1' })
const addAccount = (name: string) =>
  post('/providers/openai/accounts', { name, account_email: 'billing@example.com' })
const statuses = (all: readonly Response[]) => all.map(({ status }) => status).toSorted((a, b) => a - b)
const isOneOf = (response: Response, allowed: readonly number[]): void =>
  assert.ok(allowed.includes(response.status), `${response.status} ${response.text}`)
const reveal = (id: string) => server.call(`/providers/key/${id}/reveal`, { headers })

test('of several that create one account at once exactly one does', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => addAccount('Same')))
  assert.deepEqual(statuses(all), [201, 409, 409, 409, 409, 409])
})

test('two accounts that take one name at once: one gets it, the other keeps its own', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const made = await Promise.all([addAccount(`left ${round}`), addAccount(`right ${round}`)])
    const renamed = await Promise.all(
      made.map(({ json }) => post(`/providers/accounts/${json.id}/update`, { name: `both ${round}` })),
    )
    assert.deepEqual(statuses(renamed), [200, 409])
  }
})

test('of several that delete one account or one key at once exactly one does', async () => {
  const account = (await addAccount('Deleted')).json.id as string
  const key = (await addKey('openai')).json.id as string
  for (const path of [`/providers/accounts/${account}/delete`, `/providers/key/${key}/delete`])
    assert.deepEqual(
      statuses(await Promise.all(Array.from({ length: 5 }, () => post(path)))),
      [204, 404, 404, 404, 404],
    )
})

test('a change that races the deletion of its account never brings it back', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const account = (await addAccount(`changed ${round}`)).json.id as string
    const [changed, deleted] = await Promise.all([
      post(`/providers/accounts/${account}/update`, { account_phone: '1' }),
      post(`/providers/accounts/${account}/delete`),
    ])
    isOneOf(changed, [200, 404])
    assert.equal(deleted.status, 204)
    assert.equal((await post(`/providers/accounts/${account}/update`, { account_phone: '2' })).status, 404)
  }
})

test('a key added while its account is deleted is refused, or erased with it', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const account = (await addAccount(`emptied ${round}`)).json.id as string
    const [added, deleted] = await Promise.all([
      post(`/providers/accounts/${account}/keys`, { api_key: 'a-secret-of-a-race-2' }),
      post(`/providers/accounts/${account}/delete`),
    ])
    isOneOf(added, [201, 404])
    assert.equal(deleted.status, 204)
    if (added.status === 201) assert.equal((await reveal(added.json.id as string)).status, 404)
  }
})

test('a key that is changed while it is deleted stays deleted', async () => {
  for (const action of ['set-default', 'activate', 'deactivate'])
    for (let round = 0; round < rounds; round += 1) {
      const key = (await addKey('openai')).json.id as string
      const [changed, deleted] = await Promise.all([
        post(`/providers/key/${key}/${action}`),
        post(`/providers/key/${key}/delete`),
      ])
      isOneOf(changed, [200, 404])
      assert.equal(deleted.status, 204)
      assert.equal((await reveal(key)).status, 404)
    }
})

test('a key added while its custom provider is removed is refused, or erased with it', async () => {
  const base_url = 'https://models.example.com/v1'
  for (let round = 0; round < rounds; round += 1) {
    const id = `race-${round}`
    await post('/providers', { id, name: id, prefixes: [`${id}/`], base_url })
    const all = await Promise.all([
      addKey(id),
      addKey(id),
      server.call(`/providers/${id}`, { method: 'DELETE', headers }),
      addKey(id),
    ])
    for (const added of all.filter(({ status }) => status !== 204)) {
      isOneOf(added, [201, 404, 409])
      if (added.status === 201) assert.equal((await reveal(added.json.id as string)).status, 404)
    }
    // A provider of the same id must not find the keys of the one before it.
    await post('/providers', { id, name: id, prefixes: [`${id}/`], base_url })
    const { providers } = (await server.call('/providers', { headers })).json
    const made = providers.find((each: { id: string }) => each.id === id)
    assert.deepEqual(made.accounts, [], JSON.stringify(made))
  }
})

test('of several that set one price at once the last one is in force, and it ends once', async () => {
  const path = '/api/v1/pricing/race-model'
  const put = (price: number) =>
    server.call(path, {
      method: 'PUT',
      json: { input_price_per_1m: String(price), output_price_per_1m: '1' },
    })
  const all = await Promise.all([1, 2, 3, 4, 5].map(put))
  assert.deepEqual(statuses(all), [200, 200, 200, 200, 200])
  const { history } = (await server.call(path)).json
  assert.equal(history.filter((each: { effective_to: unknown }) => each.effective_to === null).length, 1)
  const ended = await Promise.all([1, 2, 3].map(() => server.call(path, { method: 'DELETE' })))
  assert.deepEqual(statuses(ended), [204, 404, 404])
})
