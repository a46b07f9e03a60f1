import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway({ UPSTREAM_PRIVATE: '1' })
const { fake } = server
const headers = { accept: 'application/json' }
const post = (path: string, json: object) => server.call(path, { json, headers })
const change = (id: string, json: object) =>
  server.call(`/providers/key/${id}`, { method: 'PATCH', json, headers })
const reveal = async (id: string) =>
  (await server.call(`/providers/key/${id}/reveal`, { headers })).json.api_key as string

/** The key that a request for the model goes upstream with. */
async function keySent(model: string, override?: string): Promise<string | undefined> {
  const messages = [{ role: 'user', content: 'Hello' }]
  const response = await server.call('/v1/chat/completions', {
    key: override ?? server.key,
    json: { model, messages },
  })
  assert.equal(response.status, 200, response.text)
  return fake.requests.at(-1)?.headers.authorization
}

test('a renamed key keeps its value, its default and its ID', async () => {
  const { json: key } = await post('/providers/openai', { api_key: 'sk-renamed-0001' })
  await post(`/providers/key/${key.id}/set-default`, {})
  const renamed = await change(key.id, { name: ' Production ' })
  assert.deepEqual(
    [renamed.status, renamed.json.name, renamed.json.id, renamed.json.is_default, renamed.json.key_suffix],
    [200, 'Production', key.id, true, '0001'],
  )
  assert.equal(await reveal(key.id), 'sk-renamed-0001')
  assert.equal(await keySent('gpt-4.1'), 'Bearer sk-renamed-0001')
})

test('a replaced key is used by the next request, also where an API key selects it, and its last error ends', async () => {
  const { json: key } = await post('/providers/openai', { api_key: 'sk-before-0001', name: 'Replaced' })
  const { json: client } = await post('/api/v1/keys', {
    name: 'picky',
    provider_key_overrides: { openai: key.id },
  })
  assert.equal(await keySent('gpt-4.1', client.key), 'Bearer sk-before-0001')
  fake.script('openai', { error: { status: 401, message: 'bad key' } })
  const messages = [{ role: 'user', content: 'Hello' }]
  await server.call('/v1/chat/completions', { key: client.key, json: { model: 'gpt-4.1', messages } })
  const shown = async () => {
    const { json } = await server.call('/providers', { headers })
    return json.providers
      .flatMap((provider: { accounts: { keys: { id: string }[] }[] }) => provider.accounts)
      .flatMap((account: { keys: { id: string }[] }) => account.keys)
      .find(({ id }: { id: string }) => id === key.id) as Record<string, unknown>
  }
  await waitFor('the error', async () => (await shown())['last_error'] !== null, 20_000)
  const replaced = await change(key.id, { api_key: ' sk-after-0002\n' })
  assert.deepEqual(
    [replaced.status, replaced.json.key_suffix, replaced.json.last_error, replaced.json.name],
    [200, '0002', null, 'Replaced'],
  )
  assert.ok(!replaced.text.includes('sk-after'))
  assert.equal(await keySent('gpt-4.1', client.key), 'Bearer sk-after-0002')
  assert.equal(await reveal(key.id), 'sk-after-0002')
})

test('a change that is not valid, or of a key that is not there, changes nothing', async () => {
  const { json: key } = await post('/providers/openai', { api_key: 'sk-stays-0001', name: 'Stays' })
  for (const [json, param] of [
    [{ api_key: 'short' }, 'api_key'],
    [{ api_key: ' ' }, 'api_key'],
    [{ api_key: 'sk-two words' }, 'api_key'],
    [{ name: 'n'.repeat(101) }, 'name'],
  ] as const) {
    const refused = await change(key.id, json)
    assert.deepEqual([refused.status, refused.json.error.param], [400, param], JSON.stringify(json))
  }
  assert.equal((await change(randomUUID(), { name: 'x' })).status, 404)
  const { json: unchanged } = await change(key.id, {})
  assert.deepEqual([unchanged.name, unchanged.key_suffix], ['Stays', '0001'])
  assert.equal(await reveal(key.id), 'sk-stays-0001')
})

test('a form may change a key too, and leaves what is empty', async () => {
  const { json: key } = await post('/providers/openai', { api_key: 'sk-by-form-0001', name: 'By form' })
  const changed = await server.call(`/providers/key/${key.id}/update`, {
    body: new URLSearchParams({ name: 'By a form', api_key: '' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
  assert.deepEqual([changed.status, changed.json.name], [200, 'By a form'], changed.text)
  assert.equal(await reveal(key.id), 'sk-by-form-0001')
})

test('a pasted key is trimmed', async () => {
  const { status, json } = await post('/providers/openai', { api_key: ' sk-pasted-0001\r\n' })
  assert.equal(status, 201)
  assert.equal(await reveal(json.id), 'sk-pasted-0001')
})

test('a custom provider takes a short key, of which nothing is shown', async () => {
  const base_url = fake.baseUrls.OPENAI_BASE_URL
  const own = { id: 'local', name: 'Local', prefixes: ['local/'], base_url, allow_private: true }
  assert.equal((await post('/providers', own)).status, 201)
  for (const api_key of ['EMPTY', 'ollama', 'x']) {
    const added = await post('/providers/local', { api_key })
    assert.deepEqual([added.status, added.json.key_suffix], [201, '****'], added.text)
    await post(`/providers/key/${added.json.id}/set-default`, {})
    assert.equal(await keySent('local/gpt-4.1'), `Bearer ${api_key}`)
  }
  assert.equal((await post('/providers/openai', { api_key: 'EMPTY' })).status, 400)
})

test('an account needs no email address', async () => {
  const { status, json } = await post('/providers/openai/accounts', { name: 'No address' })
  assert.deepEqual([status, json.account_email], [201, null])
})
