import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { administer } from '#test/database'
import { personWith, type Ask } from '#test/people'
import { startProduct, type Product } from '#test/product'
import { waitFor } from '#test/wait'

const product = await startProduct()
// A second replica on the same database.
const replica = await startProduct({}, product.target)
const { call } = product
const target = product.target as { address: pg.ClientConfig; database: string }

async function make(body: object): Promise<{ id: string; key: string }> {
  const { status, json } = await call('/api/v1/keys', { json: { name: 'test', ...body } })
  assert.equal(status, 201, JSON.stringify(json))
  return json as { id: string; key: string }
}

async function statusWith(
  key: string,
  at = product,
): Promise<{ status: number; message: string; code: string }> {
  const { status, json } = await at.call('/api/v1/me', { key })
  return { status, message: json.error?.message ?? '', code: json.error?.code ?? '' }
}

test('the first start makes the group Default and one key', async () => {
  const { json } = await call('/api/v1/me', { key: product.key })
  assert.equal(json.via, 'api_key')
  assert.deepEqual(
    json.groups.map((group: { name: string }) => group.name),
    ['Default'],
  )
})

test('a second start on the same database makes no second key', async () => {
  assert.equal(replica.first.isFirst, false)
  assert.equal(replica.first.firstKey, null)
})

test('the value is shown once; lists hold only its ends, and the table only its hash', async () => {
  const made = await make({ name: 'shown once' })
  const list = await call('/api/v1/keys')
  assert.ok(!list.text.includes(made.key))
  const row = list.json.data.find((each: { id: string }) => each.id === made.id)
  assert.equal(row.key_prefix, made.key.slice(0, 7))
  assert.equal(row.key_suffix, made.key.slice(-4))
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  const { rows } = await client.query<{ dump: string }>('select k::text as dump from access.api_keys k')
  await client.end()
  assert.ok(!rows.some((each) => each.dump.includes(made.key)))
  assert.ok(!product.logged().includes(made.key))
})

test('a revoked key is refused within one second on every replica', async () => {
  const made = await make({})
  assert.equal((await statusWith(made.key)).status, 200)
  assert.equal((await statusWith(made.key, replica)).status, 200)
  assert.equal((await call(`/api/v1/keys/${made.id}`, { method: 'DELETE' })).status, 204)
  const isRefused = async (at: Product) => (await statusWith(made.key, at)).status === 401
  for (const at of [product, replica]) await waitFor('the key to be refused', () => isRefused(at), 1_000)
  for (const at of [product, replica]) {
    assert.deepEqual(await statusWith(made.key, at), {
      status: 401,
      code: 'invalid_api_key',
      message: 'This API key was revoked. Create a new one on the API keys page.',
    })
  }
})

test('an expired key is refused from that moment on', async () => {
  const expiry = Date.now() + 2_000
  const made = await make({ expires_at: new Date(expiry).toISOString() })
  assert.equal((await statusWith(made.key)).status, 200)
  const refused = await waitFor('the key to expire', async () => {
    const answer = await statusWith(made.key)
    return answer.status === 401 && answer
  })
  assert.ok(Date.now() >= expiry)
  assert.match(refused.message, /^This API key expired on 20/)
})

test('unknown, malformed and very long keys each get their own clear 401', async () => {
  const unknown = await statusWith(`sb-${'A'.repeat(43)}`)
  assert.deepEqual([unknown.status, unknown.code], [401, 'invalid_api_key'])
  assert.match(unknown.message, /does not exist/)
  for (const wrong of [
    'sk-not-ours-at-all-0123456789',
    'sb-short',
    `sb-${'A'.repeat(8_000)}`,
    'sb-with!signs-not-allowed-in-a-key-at-all',
  ]) {
    const refused = await statusWith(wrong)
    assert.equal(refused.status, 401)
    assert.match(refused.message, /not a Signalbox API key/)
  }
  const basic = await call('/api/v1/me', { headers: { authorization: 'Basic dXNlcjpwYXNz' } })
  assert.equal(basic.status, 401)
  assert.equal(basic.json.error.code, 'invalid_api_key')
})

test('a rotated key has a new value at once, and the old one for the overlap alone', async () => {
  const made = await make({ scopes: ['read'] })
  assert.equal((await statusWith(made.key)).status, 200)
  const first = await call(`/api/v1/keys/${made.id}/rotate`, { json: { overlap_seconds: 3600 } })
  assert.equal(first.status, 200, first.text)
  const { key: second, ...shown } = first.json
  assert.equal(shown.id, made.id)
  assert.ok(second !== made.key && second.endsWith(shown.key_suffix))
  assert.ok(Math.abs(Date.parse(shown.previous_valid_until) - Date.now() - 3_600_000) < 600_000)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  for (const key of [made.key, second])
    for (const at of [product, replica]) assert.equal((await statusWith(key, at)).status, 200)

  // Without an overlap the old value ends at once, and with it the one before.
  const { key: third } = (await call(`/api/v1/keys/${made.id}/rotate`, { json: {} })).json
  const isRefused = async (key: string, at = product) => (await statusWith(key, at)).status === 401
  for (const key of [made.key, second])
    for (const at of [product, replica]) await waitFor('an old value to be refused', () => isRefused(key, at))
  assert.equal((await statusWith(third)).status, 200)
  const listed = (await call('/api/v1/keys')).json.data as { id: string; previous_valid_until: null }[]
  assert.equal(listed.find(({ id }) => id === made.id)?.previous_valid_until, null)
})

test('the old value ends with its overlap, and a revoked key with both', async () => {
  const made = await make({})
  await call(`/api/v1/keys/${made.id}/rotate`, { json: { overlap_seconds: 1 } })
  await waitFor('the overlap to end', async () => (await statusWith(made.key)).status === 401)

  const other = await make({})
  const { key } = (await call(`/api/v1/keys/${other.id}/rotate`, { json: { overlap_seconds: 3600 } })).json
  await call(`/api/v1/keys/${other.id}`, { method: 'DELETE' })
  for (const value of [other.key, key])
    await waitFor('both values to be refused', async () => (await statusWith(value)).status === 401)
  const again = await call(`/api/v1/keys/${other.id}/rotate`, { json: {} })
  assert.deepEqual([again.status, again.json.error.code], [409, 'conflict'])
  const long = await call(`/api/v1/keys/${made.id}/rotate`, { json: { overlap_seconds: 2_592_001 } })
  assert.deepEqual([long.status, long.json.error.param], [400, 'overlap_seconds'])
})

test('nobody gets the value of a key with more rights than they have by rotating it', async () => {
  const admin = await personWith(product, 'admin')
  const owners = await make({ scopes: ['read'] })
  const rotate = (id: string, by: Ask) => by(`/api/v1/keys/${id}/rotate`, { json: {} })
  assert.equal((await rotate(owners.id, admin)).status, 403)
  const { json: own } = await admin('/api/v1/keys', { json: { name: 'own', scopes: ['read', 'admin'] } })
  assert.equal((await rotate(own.id, admin)).status, 200)
  // A key that may only manage keys does not get one that may read.
  const { json: narrow } = await call('/api/v1/keys', { json: { name: 'narrow', scopes: ['admin'] } })
  const byKey: Ask = (path, options) => product.call(path, { ...options, key: narrow.key as string })
  const refused = await rotate(owners.id, byKey)
  assert.deepEqual([refused.status, refused.json.error.param], [403, 'scopes'])
})

test('a known key stays good while the database is unavailable, an unknown one gets 503, and all recovers', async () => {
  const made = await make({})
  assert.equal((await statusWith(made.key)).status, 200)
  await administer(`alter database ${target.database} allow_connections false`)
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${target.database}'`,
  )
  const unknown = await waitFor('the outage to be noticed', async () => {
    const answer = await statusWith(`sb-${'B'.repeat(43)}`)
    return answer.status !== 401 && answer
  })
  assert.deepEqual([unknown.status, unknown.code], [503, 'unavailable'])
  assert.equal((await statusWith(made.key)).status, 200)
  assert.deepEqual((await call('/readyz')).json, { status: 'degraded', database: 'down' })
  await administer(`alter database ${target.database} allow_connections true`)
  const isRefused = async (key: string) => (await statusWith(key)).status === 401
  await waitFor('unknown keys to be refused again', () => isRefused(`sb-${'B'.repeat(43)}`))
  // Revocation works again too, even while the connection for notifications is still being made.
  await call(`/api/v1/keys/${made.id}`, { method: 'DELETE' })
  await waitFor('the revoked key to be refused', () => isRefused(made.key))
})

test('a key never carries more than its creator has', async () => {
  const narrow = await make({ scopes: ['gateway', 'admin'] })
  const { status, json } = await call('/api/v1/keys', {
    key: narrow.key,
    json: { name: 'wider', scopes: ['read', 'admin'] },
  })
  assert.equal(status, 403)
  assert.equal(json.error.param, 'scopes')
})

test('a key can be renamed, narrowed and given an end; a revoked one cannot', async () => {
  const made = await make({})
  const overrides = {}
  const change = {
    name: 'renamed',
    scopes: ['read'],
    provider_key_overrides: overrides,
    expires_at: '2099-01-01T00:00:00.000Z',
  }
  const { status, json } = await call(`/api/v1/keys/${made.id}`, { method: 'PATCH', json: change })
  assert.equal(status, 200)
  assert.deepEqual(
    {
      name: json.name,
      scopes: json.scopes,
      provider_key_overrides: json.provider_key_overrides,
      expires_at: json.expires_at,
    },
    change,
  )
  await call(`/api/v1/keys/${made.id}`, { method: 'DELETE' })
  assert.equal(
    (await call(`/api/v1/keys/${made.id}`, { method: 'PATCH', json: { name: 'late' } })).status,
    409,
  )
  const past = await call('/api/v1/keys', { json: { name: 'past', expires_at: '2001-01-01T00:00:00Z' } })
  assert.equal(past.json.error.param, 'expires_at')
})

test('a change without any field changes nothing and returns the key', async () => {
  const made = await make({ name: 'unchanged' })
  const { status, json } = await call(`/api/v1/keys/${made.id}`, { method: 'PATCH', json: {} })
  assert.deepEqual([status, json.id, json.name], [200, made.id, 'unchanged'])
})

test('the last use of a key is kept', async () => {
  const made = await make({})
  await statusWith(made.key, replica)
  await replica.stop()
  const { json } = await call('/api/v1/keys')
  const row = json.data.find((each: { id: string }) => each.id === made.id)
  assert.ok(Math.abs(Date.now() - Date.parse(row.last_used_at)) < 10_000)
})
