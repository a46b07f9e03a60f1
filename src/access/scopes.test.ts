import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'

const product = await startProduct()
const { call } = product
const { json: me } = await call('/api/v1/me')
const group = me.groups[0] as { id: string }

interface Made {
  id: string
  key: string
  scopes: string[]
  expires_at: string | null
  provider_key_overrides: Record<string, string>
}

async function providerKey(provider: string, number: number): Promise<string> {
  const json = { api_key: `sk-planted-${provider}-${number}-0123456789`, name: `key ${number}` }
  const added = await call(`/providers/${provider}`, { json, headers: { accept: 'application/json' } })
  assert.equal(added.status, 201, added.text)
  return added.json.id as string
}

async function make(body: object, key?: string): Promise<Made> {
  const { status, json } = await call('/api/v1/keys', {
    json: { name: 'test', ...body },
    ...(key !== undefined && { key }),
  })
  assert.equal(status, 201, JSON.stringify(json))
  return json as Made
}

const statusOf = async (key: string): Promise<number> => (await call('/api/v1/me', { key })).status

test('a key without the scope admin changes nothing: no key, no member, no invitation', async () => {
  const victim = await make({ scopes: ['read'] })
  const wide = { scopes: ['gateway', 'embeddings', 'events', 'read', 'sql', 'agents'] }
  const { key } = await make(wide)
  const members = `/api/v1/groups/${group.id}/members`
  const changes = [
    ['POST', '/api/v1/keys', { name: 'outlives its maker' }],
    ['PATCH', `/api/v1/keys/${victim.id}`, { name: 'renamed' }],
    ['DELETE', `/api/v1/keys/${victim.id}`, undefined],
    ['DELETE', `${members}/${me.user.id}`, undefined],
    ['PATCH', `${members}/${me.user.id}`, { role: 'viewer' }],
    ['PATCH', `/api/v1/groups/${group.id}`, { name: 'Taken' }],
    ['POST', `/api/v1/groups/${group.id}/invitations`, { role: 'admin' }],
    ['GET', `/api/v1/groups/${group.id}/invitations`, undefined],
  ] as const
  for (const [method, path, json] of changes) {
    const answer = await call(path, { method, key, ...(json && { json }) })
    assert.deepEqual([answer.status, answer.json?.error.code], [403, 'forbidden'], `${method} ${path}`)
    assert.match(answer.json.error.message, /does not have the scope "admin"/)
  }
  assert.equal((await call(members, { key })).json.data.length, 1)
})

test('a key with admin alone creates, changes and revokes keys', async () => {
  const { key } = await make({ scopes: ['admin'] })
  const made = await make({ scopes: ['admin'] }, key)
  const path = `/api/v1/keys/${made.id}`
  assert.equal((await call(path, { method: 'PATCH', json: { name: 'renamed' }, key })).status, 200)
  assert.equal((await call(path, { method: 'DELETE', key })).status, 204)
  const unnamed = await call('/api/v1/keys', { json: { name: 'which scopes?' }, key })
  assert.deepEqual([unnamed.status, unnamed.json.error.param], [400, 'scopes'])
})

test('a key created with a key has at most its expiry and its provider keys', async () => {
  const [pinned, other, third] = [
    await providerKey('openai', 1),
    await providerKey('openai', 2),
    await providerKey('gemini', 3),
  ]
  const expires = '2099-01-01T00:00:00.000Z'
  const { key } = await make({
    scopes: ['read', 'admin'],
    expires_at: expires,
    provider_key_overrides: { openai: pinned },
  })
  const child = await make({ scopes: ['read'] }, key)
  assert.equal(child.expires_at, expires)
  assert.deepEqual(child.provider_key_overrides, { openai: pinned })
  const refused = [
    ['expires_at', { expires_at: '2099-01-01T00:00:00.001Z' }],
    ['provider_key_overrides', { provider_key_overrides: { openai: other } }],
  ] as const
  for (const [param, body] of refused) {
    const made = await call('/api/v1/keys', { json: { name: 'more', scopes: ['read'], ...body }, key })
    assert.deepEqual([made.status, made.json.error.param], [403, param])
    const changed = await call(`/api/v1/keys/${child.id}`, { method: 'PATCH', json: body, key })
    assert.deepEqual([changed.status, changed.json.error.param], [403, param])
  }
  for (const json of [{ expires_at: null }, { provider_key_overrides: {} }]) {
    assert.equal((await call(`/api/v1/keys/${child.id}`, { method: 'PATCH', json, key })).status, 403)
  }
  const sooner = {
    expires_at: '2098-01-01T00:00:00.000Z',
    provider_key_overrides: { openai: pinned, gemini: third },
  }
  assert.equal((await call(`/api/v1/keys/${child.id}`, { method: 'PATCH', json: sooner, key })).status, 200)
})

test('a key ends with the key that created it, and so does the key that it created', async () => {
  const parent = await make({ scopes: ['read', 'admin'] })
  const child = await make({ scopes: ['read', 'admin'] }, parent.key)
  const grandchild = await make({ scopes: ['read'] }, child.key)
  assert.deepEqual([await statusOf(child.key), await statusOf(grandchild.key)], [200, 200])
  await call(`/api/v1/keys/${parent.id}`, { method: 'DELETE' })
  for (const { key } of [parent, child, grandchild])
    await waitFor('the key to be refused', async () => (await statusOf(key)) === 401, 1_000)
  const { json } = await call('/api/v1/keys')
  for (const { id } of [child, grandchild])
    assert.ok(json.data.find((each: Made) => each.id === id).revoked_at, 'the list shows it as revoked')
})

test('a key loses the scopes, and shares the expiry, that the key above it is given later', async () => {
  const parent = await make({ scopes: ['read', 'gateway', 'admin'] })
  const child = await make({ scopes: ['read', 'gateway'] }, parent.key)
  const scopes = async (): Promise<string[]> => (await call('/api/v1/me', { key: child.key })).json.scopes
  assert.deepEqual(await scopes(), ['read', 'gateway'])
  await call(`/api/v1/keys/${parent.id}`, { method: 'PATCH', json: { scopes: ['read', 'admin'] } })
  await waitFor('fewer scopes', async () => (await scopes()).length === 1, 1_000)
  assert.deepEqual(await scopes(), ['read'])
  const soon = new Date(Date.now() + 1_000).toISOString()
  await call(`/api/v1/keys/${parent.id}`, { method: 'PATCH', json: { expires_at: soon } })
  await waitFor('the key to expire', async () => (await statusOf(child.key)) === 401, 5_000)
})

test('metrics are of the whole server: for keys of the first group, and no other', async () => {
  const { json: second } = await call('/api/v1/groups', { json: { name: 'Second' } })
  const elsewhere = await make({ group_id: second.id, scopes: ['read', 'admin'] })
  const refused = await call('/metrics', { key: elsewhere.key })
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'forbidden'])
  const here = await make({ scopes: ['read'] })
  for (const credentials of [{ key: here.key }, {}]) {
    const { status, text } = await call('/metrics', credentials)
    assert.equal(status, 200)
    assert.match(text, /signalbox_http_request_seconds_count/)
  }
  assert.equal((await call('/metrics', { key: elsewhere.key })).status, 403)
})
