import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { startProduct } from '#test/product'
import { openSocket } from '#test/socket'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { call } = server
/** The same keys behind a proxy on this machine. */
const proxied = await startProduct({ TRUSTED_PROXIES: '127.0.0.1' }, server.target)

interface Made {
  id: string
  key: string
  allowed_models: string[] | null
  allowed_addresses: string[] | null
}

async function make(body: object, key?: string): Promise<Made> {
  const json = { name: 'listed', scopes: ['gateway', 'embeddings', 'read', 'admin'], ...body }
  const made = await call('/api/v1/keys', { json, ...(key !== undefined && { key }) })
  assert.equal(made.status, 201, made.text)
  return made.json as Made
}

const change = (id: string, json: object, key?: string) =>
  call(`/api/v1/keys/${id}`, { method: 'PATCH', json, ...(key !== undefined && { key }) })
const here = ['127.0.0.0/8']
const elsewhere = ['192.0.2.0/24', '2001:db8::/32']

test('a key without lists may name every model from everywhere', async () => {
  const { key, allowed_models: models, allowed_addresses: addresses } = await make({})
  assert.deepEqual([models, addresses], [null, null])
  assert.equal((await call('/api/v1/me', { key })).status, 200)
})

test('lists are stored in one form, changed, and taken away by null', async () => {
  const given = {
    allowed_models: [' gpt-* ', 'fast', 'fast'],
    allowed_addresses: ['10.1.2.3/8', '2001:DB8::1'],
  }
  const made = await make(given)
  const stored = { allowed_models: ['gpt-*', 'fast'], allowed_addresses: ['10.0.0.0/8', '2001:db8::1/128'] }
  assert.deepEqual(made, { ...made, ...stored })
  const renamed = await change(made.id, { name: 'renamed' })
  assert.deepEqual(renamed.json, { ...renamed.json, ...stored })
  const open = await change(made.id, { allowed_models: null, allowed_addresses: null })
  assert.deepEqual([open.json.allowed_models, open.json.allowed_addresses], [null, null])
})

test('what is no list of names or networks is refused by its field', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `10.0.${index}.0/24`)
  const wrong = [
    ...[[], [''], [5], ['a'.repeat(201)], ['a\u0000b'], many.concat('x'), 'gpt-*'].map((list) => ({
      allowed_models: list,
    })),
    ...[[], [''], ['example.com'], ['10.0.0.0/33'], ['10.0.0.0/8/8'], ['::1%'], many, {}].map((list) => ({
      allowed_addresses: list,
    })),
  ]
  const { id } = await make({})
  for (const body of wrong) {
    const field = Object.keys(body)[0] ?? ''
    for (const { status, json } of [
      await call('/api/v1/keys', { json: { name: 'wrong', ...body } }),
      await change(id, body),
    ]) {
      assert.deepEqual([status, json.error.code], [400, 'invalid_request'], JSON.stringify(body))
      assert.ok(String(json.error.param).startsWith(field), `${json.error.param} ${JSON.stringify(body)}`)
    }
  }
})

test('a key is refused from other addresses on every route that it opens', async () => {
  const { key } = await make({ allowed_addresses: elsewhere })
  const messages = [{ role: 'user', content: 'Hello' }]
  const before = server.fake.requests.length
  const answers = [
    await call('/api/v1/me', { key }),
    await call('/api/v1/keys', { key }),
    await call('/v1/models', { key }),
    await call('/v1/chat/completions', { key, json: { model: 'gpt-6-sol', messages } }),
    await call('/v1/embeddings', { key, json: { model: 'text-embedding-3-small', input: 'a' } }),
    await call('/api/v1/embed', { key, json: { text: 'a' } }),
  ]
  for (const { status, json } of answers) assert.deepEqual([status, json.error.code], [403, 'forbidden'])
  const mcp = await call('/mcp', { key, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  assert.equal(mcp.status, 403)
  assert.match(answers[0]?.json.error.message, /cannot be used from the address 127\.0\.0\.1/)
  assert.equal(server.fake.requests.length, before, 'nothing goes upstream')
  await assert.rejects(openSocket(server.url, key), /403/)
  const { json } = await call('/api/v1/keys')
  assert.equal(json.data[0].last_used_at, null, 'a refused use is none')
})

test('from an address of the list the key works, also where the server calls itself for it', async () => {
  const { key } = await make({ allowed_addresses: [...elsewhere, ...here] })
  assert.equal((await call('/v1/models', { key })).status, 200)
  const socket = await openSocket(server.url, key)
  const events = await socket.ask({ model: 'gpt-6-sol', input: 'Hello' })
  assert.equal(events.at(-1)?.['type'], 'response.completed')
  socket.socket.close()
  const tool = { name: 'platform_usage', arguments: {} }
  const headers = { accept: 'application/json, text/event-stream' }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
  const answer = await call('/mcp', { key, headers, json: message })
  assert.equal(answer.status, 200, answer.text)
  assert.doesNotMatch(answer.text, /cannot be used|"isError":true/)
})

test('X-Forwarded-For counts only where the proxy is trusted, and only what the proxy added', async () => {
  const { key } = await make({ allowed_addresses: elsewhere })
  const { key: local } = await make({ allowed_addresses: here })
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address, forwarded: `for=${address}` } })
  const statusAt = async (at: typeof proxied, sent: string, address: string) =>
    (await at.call('/api/v1/me', { key: sent, ...from(address) })).status
  assert.equal(await statusAt(server, key, '192.0.2.7'), 403)
  assert.equal(await statusAt(server, local, '192.0.2.7'), 200)
  assert.equal(await statusAt(proxied, key, '192.0.2.7'), 200)
  assert.equal(await statusAt(proxied, key, '2001:db8::9'), 200)
  assert.equal(await statusAt(proxied, key, '::ffff:192.0.2.7'), 200)
  assert.equal(await statusAt(proxied, local, '192.0.2.7'), 403)
  // The client wrote the first one itself; the proxy added the last.
  assert.equal(await statusAt(proxied, key, '192.0.2.7, 203.0.113.9'), 403)
  assert.equal(await statusAt(proxied, key, 'nonsense'), 403)
})

test('a changed list holds within a second on every replica', async () => {
  const { id, key } = await make({})
  for (const at of [server, proxied]) assert.equal((await at.call('/api/v1/me', { key })).status, 200)
  await change(id, { allowed_addresses: elsewhere })
  for (const at of [server, proxied])
    await waitFor(
      'the key to be refused',
      async () => (await at.call('/api/v1/me', { key })).status === 403,
      1_000,
    )
})

test('a key made with a key has at most its lists, also after they are changed', async () => {
  const lists = { allowed_models: ['gpt-*', 'fast'], allowed_addresses: ['127.0.0.0/8', '10.0.0.0/8'] }
  const parent = await make(lists)
  const child = await make({}, parent.key)
  assert.deepEqual(child, { ...child, ...lists })
  const narrow = { allowed_models: ['gpt-6-*'], allowed_addresses: ['127.0.0.1'] }
  const narrower = await make(narrow, parent.key)
  assert.deepEqual(narrower.allowed_addresses, ['127.0.0.1/32'])
  const wide = [
    ['allowed_models', ['*']],
    ['allowed_models', ['gpt-6', 'claude-*']],
    ['allowed_addresses', ['0.0.0.0/0']],
    ['allowed_addresses', ['127.0.0.1', '192.0.2.7']],
    ['allowed_addresses', ['::/0']],
  ] as const
  for (const [param, list] of wide) {
    const made = await call('/api/v1/keys', {
      key: parent.key,
      json: { name: 'wide', scopes: ['read'], [param]: list },
    })
    assert.deepEqual([made.status, made.json.error?.param], [403, param], String(list))
    for (const id of [child.id, parent.id]) {
      const changed = await change(id, { [param]: list }, parent.key)
      assert.deepEqual([changed.status, changed.json.error?.param], [403, param], String(list))
      assert.equal((await change(id, { [param]: null }, parent.key)).status, 403)
    }
  }
  // Nor by rotating a key that has none: its new value would be theirs.
  const free = await make({ scopes: ['read'] })
  const rotated = await call(`/api/v1/keys/${free.id}/rotate`, { key: parent.key, json: {} })
  assert.deepEqual([rotated.status, rotated.json.error.param], [403, 'allowed_models'])

  assert.equal((await call('/api/v1/me', { key: child.key })).status, 200)
  await change(parent.id, { allowed_addresses: elsewhere })
  await waitFor(
    'the child to be refused',
    async () => (await call('/api/v1/me', { key: child.key })).status === 403,
  )
})
