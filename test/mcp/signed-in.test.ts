import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { signInWith, startIssuer } from '#test/issuer'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'

const publicUrl = 'http://localhost:4321'
const issuer = await startIssuer()
const stranger = await startIssuer()
const product = await startProduct({
  AUTH: 'required',
  PUBLIC_URL: publicUrl,
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: 'signalbox',
  OIDC_CLIENT_SECRET: 'planted-client-secret',
  OIDC_AUTO_JOIN: 'member',
})
const person = await signInWith(issuer, product, 'ada@example.com')
assert.equal(person.me.status, 200, person.me.text)

const now = (): number => Math.floor(Date.now() / 1_000)
const claims = (more: object = {}) => ({
  iss: issuer.url,
  aud: `${publicUrl}/mcp`,
  sub: 'sub-ada@example.com',
  azp: 'example-assistant',
  iat: now(),
  exp: now() + 300,
  ...more,
})
const tools = (token: string, headers: Record<string, string> = {}) =>
  product.call('/mcp', { key: token, headers, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
const namesOf = (answer: { json: { result: { tools: { name: string }[] } } }): string[] =>
  answer.json.result.tools.map(({ name }) => name)
const me = { headers: { cookie: person.cookie } }
const listed = async () =>
  (
    (await product.call('/api/v1/keys', me)).json.data as {
      id: string
      name: string
      revoked_at: string | null
    }[]
  ).filter(({ name }) => name === 'MCP: example-assistant')

test('the metadata names the issuer', async () => {
  const { json } = await product.call('/.well-known/oauth-protected-resource/mcp')
  assert.deepEqual([json.resource, json.authorization_servers], [`${publicUrl}/mcp`, [issuer.url]])
})

test('an access token of the issuer opens /mcp for the person, with the tools of their role', async () => {
  const answer = await tools(issuer.sign(claims()))
  assert.equal(answer.status, 200, answer.text)
  const names = namesOf(answer)
  for (const name of ['platform_sql_execute', 'ask_agent', 'platform_search']) assert.ok(names.includes(name))
  const called = await product.call('/mcp', {
    key: issuer.sign(claims()),
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'platform_usage', arguments: {} } },
  })
  assert.equal(called.json.result.isError ?? false, false, called.text)
  assert.equal((await listed()).length, 1)
})

test('scopes of the token limit it', async () => {
  const names = namesOf(await tools(issuer.sign(claims({ scope: 'openid read' }))))
  assert.ok(names.includes('platform_search') && !names.includes('platform_sql_execute'))
})

const unsigned = (): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims())}.AA`
}
for (const [what, token] of [
  ['signed by another', () => stranger.sign(claims())],
  ['of another issuer', () => issuer.sign(claims({ iss: stranger.url }))],
  ['for another server', () => issuer.sign(claims({ aud: 'https://elsewhere.example/mcp' }))],
  ['for the dashboard, as an ID token is', () => issuer.sign(claims({ aud: 'signalbox' }))],
  ['without an audience', () => issuer.sign(claims({ aud: undefined }))],
  ['that has expired', () => issuer.sign(claims({ exp: now() - 60 }))],
  ['that never expires', () => issuer.sign(claims({ exp: undefined }))],
  ['that is not valid yet', () => issuer.sign(claims({ nbf: now() + 600 }))],
  ['from the future', () => issuer.sign(claims({ iat: now() + 600 }))],
  ['without a person', () => issuer.sign(claims({ sub: undefined }))],
  ['that is not signed', unsigned],
  ['signed with the public key as a secret', () => issuer.sign(claims(), { alg: 'HS256' })],
] as const)
  test(`a token ${what} is refused, and the response says where to get one`, async () => {
    const { status, headers, json, text } = await tools(token())
    assert.equal(status, 401, text)
    assert.equal(json.error.data.code, 'invalid_api_key')
    const there = `${publicUrl}/.well-known/oauth-protected-resource/mcp`
    assert.equal(headers.get('www-authenticate'), `Bearer resource_metadata="${there}"`)
  })

test('unknown keys of the issuer are not fetched again and again', async () => {
  const before = issuer.fetches()
  for (let tries = 0; tries < 20; tries++)
    assert.equal((await tools(issuer.sign(claims(), { kid: `kid-${tries}` }))).status, 401)
  assert.ok(issuer.fetches() - before <= 1)
})

test('a person who never signed in here, and a group of others, are refused', async () => {
  const unknown = await tools(issuer.sign(claims({ sub: 'sub-of-nobody' })))
  assert.equal(unknown.status, 403, unknown.text)
  const elsewhere = await tools(issuer.sign(claims()), { 'x-group-id': crypto.randomUUID() })
  assert.equal(elsewhere.status, 404, elsewhere.text)
})

test('the token opens /mcp only, and approves nothing', async () => {
  const token = issuer.sign(claims())
  for (const path of ['/api/v1/me', '/api/v1/keys', '/api/v1/sql/approvals'])
    assert.equal((await product.call(path, { key: token })).status, 401)
})

test('who revokes the key of the assistant ends its access; signing in again gives a new one', async () => {
  const old = issuer.sign(claims({ iat: now() - 10 }))
  assert.equal((await tools(old)).status, 200)
  for (const { id } of await listed())
    await product.call(`/api/v1/keys/${id}`, {
      method: 'DELETE',
      headers: { ...me.headers, origin: publicUrl },
    })
  const isRefused = async (): Promise<boolean> => (await tools(old)).status === 401
  await waitFor('the end of its access', isRefused)
  assert.equal((await tools(issuer.sign(claims({ iat: now() + 5 })))).status, 200)
  assert.ok(await isRefused())
})

test('refused tokens count as unknown API keys do; those of people are accepted all the same', async () => {
  const refused = stranger.sign(claims())
  const unknownKey = (): string => `sb-${randomBytes(32).toString('base64url').slice(0, 43)}`
  const statuses = new Set<number>()
  for (let round = 0; round < 30 && !statuses.has(429); round++)
    for (const { status } of await Promise.all(Array.from({ length: 50 }, () => tools(refused))))
      statuses.add(status)
  assert.deepEqual([...statuses], [401, 429])
  const guesses = await Promise.all(Array.from({ length: 50 }, () => tools(unknownKey())))
  assert.ok(guesses.some(({ status }) => status === 429))
  // Of an assistant whose key this server has never seen.
  assert.equal((await tools(issuer.sign(claims({ azp: 'another-assistant' })))).status, 200)
})
