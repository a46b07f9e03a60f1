import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const server = await startGateway()
const headers = { accept: 'application/json' }

async function addKey(provider: string, value: string, more: Record<string, string> = {}): Promise<string> {
  const { json } = await server.call(`/providers/${provider}`, {
    json: { api_key: value, name: `key ${Math.random()}`, ...more },
    headers,
  })
  return json.id
}
const tryKey = (id: string) => server.call(`/providers/key/${id}/test`, { method: 'POST', headers })

for (const provider of Object.keys(exampleModels)) {
  test(`a key of ${provider} is tried without a cost, and a wrong one is found`, async () => {
    const good = await tryKey(await addKey(provider, 'sk-good-0123456789'))
    assert.equal(good.status, 200, good.text)
    assert.equal(good.json.status, 'ok')
    const bad = await tryKey(await addKey(provider, 'sk-bad-0123456789'))
    assert.equal(bad.status, 200, bad.text)
    assert.equal(bad.json.status, 'refused')
    assert.ok(!bad.text.includes('sk-bad-0123456789'), 'the key is not repeated')
    assert.deepEqual(server.settled(), [], 'nothing is metered')
  })
}

test('what came of it is seen at the key afterwards, also of one that is deactivated', async () => {
  const id = await addKey('openai', 'sk-bad-9876543210')
  await server.call(`/providers/key/${id}/deactivate`, { method: 'POST', headers })
  assert.equal((await tryKey(id)).json.status, 'refused')
  const { providers } = (await server.call('/providers', { headers })).json
  const keys = providers.flatMap(
    (each: { accounts: { keys: { id: string; last_error: string | null }[] }[] }) =>
      each.accounts.flatMap((account) => account.keys),
  )
  assert.match(keys.find((key: { id: string }) => key.id === id).last_error, /key/i)
})

test('a provider that cannot be reached is a failure, not a refusal', async () => {
  server.fake.script({ provider: 'openai', endpoint: 'models' }, { reset: 'before-headers' })
  const { status, json } = await tryKey(await addKey('openai', 'sk-good-unreachable'))
  assert.deepEqual([status, json.status], [200, 'failed'])
})

test('the key of another group does not exist', async () => {
  const other = (await server.call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id
  const id = await addKey('openai', 'sk-good-elsewhere', { group_id: other })
  const path = `/providers/key/${id}/test`
  assert.equal((await server.call(path, { method: 'POST', key: server.key, headers })).status, 404)
  assert.equal((await tryKey(id)).status, 200, 'who owns both groups tests it where it is')
})
