import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { signInWith, startIssuer } from '#test/issuer'
import { startProduct, type Product } from '#test/product'

const issuer = await startIssuer()
const environment = {
  AUTH: 'required',
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: 'signalbox',
  OIDC_CLIENT_SECRET: 'planted-client-secret',
  OIDC_NAME: 'Example ID',
}

const signIn = (product: Product, email: string, verified = true, claims: object = {}) =>
  signInWith(issuer, product, email, verified, claims)

const shared = await startProduct({ ...environment, OIDC_AUTO_JOIN: 'member' })

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(clientConfig(shared.target))
  await client.connect()
  const { rows } = await client.query(text, values)
  await client.end()
  return rows as Record<string, unknown>[]
}

test('the sign-in page learns the name of the issuer and no secret', async () => {
  const product = await startProduct(environment)
  const { json, text } = await product.call('/api/auth/options')
  assert.deepEqual(json, { local: false, password: true, oidc: { name: 'Example ID' } })
  assert.ok(!text.includes('planted'))
})

test('an issuer that was down at the first use is tried again, and sent the port that the server has', async () => {
  const product = await startProduct({ ...environment, OIDC_AUTO_JOIN: 'member' })
  const begin = () =>
    product.call('/api/auth/sign-in/social', {
      json: { provider: 'oidc', callbackURL: '/' },
      headers: { origin: product.url },
    })
  issuer.isDown = true
  assert.equal((await begin()).status, 404)
  issuer.isDown = false
  const { status, json } = await begin()
  assert.equal(status, 200)
  const redirect = new URL(json.url as string).searchParams.get('redirect_uri') ?? ''
  assert.equal(new URL(redirect).port, new URL(product.url).port)
  assert.equal((await signIn(product, 'late@example.com')).me.status, 200)
})

test('whom OIDC_AUTO_JOIN lets in gets that role in the first group', async () => {
  const product = await startProduct({ ...environment, OIDC_AUTO_JOIN: 'member' })
  const { me } = await signIn(product, 'auto@example.com')
  assert.equal(me.status, 200, me.text)
  assert.equal(me.json.via, 'session')
  assert.deepEqual(
    me.json.groups.map((each: { name: string; role: string }) => [each.name, each.role]),
    [['Default', 'member']],
  )
  assert.ok(!product.logged().includes('planted-client-secret'))
})

test('who leaves a group or is removed from it does not come back by signing in, but by an invitation', async () => {
  const product = shared
  const { groupId } = product.first
  const boss = await signIn(product, 'boss@example.com')
  await query(`update access.memberships set role = 'owner' where user_id = $1`, [boss.me.json.user.id])
  for (const isLeaving of [true, false]) {
    const email = `left-${isLeaving}@example.com`
    const { me, cookie } = await signIn(product, email)
    const path = `/api/v1/groups/${groupId}/members/${me.json.user.id}`
    const as = isLeaving ? { headers: { cookie, origin: product.url } } : { key: product.key }
    assert.equal((await product.call(path, { ...as, method: 'DELETE' })).status, 204)
    const seen = await product.call('/api/v1/me', { headers: { cookie } })
    assert.deepEqual(seen.json.groups, [])
    assert.deepEqual((await signIn(product, email)).me.json.groups, [])
    await product.call(`/api/v1/groups/${groupId}/invitations`, {
      key: product.key,
      json: { role: 'viewer', email },
    })
    const pages = await Promise.all(
      Array.from({ length: 6 }, () => product.call('/api/v1/me', { headers: { cookie } })),
    )
    for (const { status, text, json } of pages) {
      assert.equal(status, 200, text)
      assert.deepEqual(
        json.groups.map(({ role }: { role: string }) => role),
        ['viewer'],
      )
    }
  }
})

test('without it a person waits for an invitation, and joins by their verified address', async () => {
  const product = await startProduct(environment)
  const before = await signIn(product, 'invited@example.com')
  assert.deepEqual(before.me.json.groups, [])
  const { json: own } = await product.call('/api/v1/me', { key: product.key })
  await product.call(`/api/v1/groups/${own.group_id}/invitations`, {
    key: product.key,
    json: { role: 'viewer', email: 'invited@example.com' },
  })
  const after = await signIn(product, 'invited@example.com')
  assert.deepEqual(
    after.me.json.groups.map((each: { role: string }) => each.role),
    ['viewer'],
  )
})

test('an address that the issuer has not verified joins nothing', async () => {
  const product = await startProduct({ ...environment, OIDC_AUTO_JOIN: 'member' })
  const { me } = await signIn(product, 'unverified@example.com', false)
  assert.ok(me.status === 401 || me.json.groups.length === 0, me.text)
})

test('tokens of the issuer are not stored, at the first sign-in or later', async () => {
  for (let time = 0; time < 2; time++) {
    assert.equal((await signIn(shared, 'tokens@example.com')).me.status, 200)
    const rows = await query(
      `select access_token, refresh_token, id_token from access.accounts where account_id = 'sub-tokens@example.com'`,
    )
    assert.deepEqual(rows, [{ access_token: null, refresh_token: null, id_token: null }])
  }
})

test('the migration erases tokens that were stored before', async () => {
  await signIn(shared, 'before@example.com')
  await query(
    `update access.accounts set access_token = 'a', refresh_token = 'r', id_token = 'i', scope = 'openid'
     where account_id = 'sub-before@example.com'`,
  )
  await query(readFileSync('migrations/0057_access_no_issuer_tokens.sql', 'utf8'))
  assert.deepEqual(
    await query(
      `select scope, concat(access_token, refresh_token, id_token) as tokens from access.accounts
       where account_id = 'sub-before@example.com'`,
    ),
    [{ scope: 'openid', tokens: '' }],
  )
})

test('an ID token without an end, from the future or for another client signs nobody in', async () => {
  const now = Math.floor(Date.now() / 1000)
  const refused = {
    'no end': { exp: undefined },
    'an hour ahead': { iat: now + 3600, exp: now + 7200 },
    'for another client': { azp: 'another-client' },
    'for several, without saying who asked': { aud: ['signalbox', 'another-client'] },
  }
  for (const [what, claims] of Object.entries(refused)) {
    const { me } = await signIn(shared, 'claims@example.com', true, claims)
    assert.equal(me.status, 401, what)
  }
  const named = { aud: ['signalbox', 'another-client'], azp: 'signalbox' }
  assert.equal((await signIn(shared, 'claims@example.com', true, named)).me.status, 200)
})

test('an account that took an address without proving it ends its password when the person signs in', async () => {
  const email = 'victim@example.com'
  const password = 'a password of somebody else'
  const origin = shared.url
  const { json } = await shared.call(`/api/v1/groups/${shared.first.groupId}/invitations`, {
    key: shared.key,
    json: { role: 'viewer' },
  })
  const joined = await shared.call('/api/auth/invitation/accept', {
    json: { token: new URL(json.url as string).searchParams.get('token'), name: 'Not them', email, password },
    headers: { origin },
  })
  const cookie = joined.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .join('; ')
  assert.equal((await shared.call('/api/v1/me', { headers: { cookie } })).status, 200)

  const { me } = await signIn(shared, email)
  assert.equal(me.status, 200, me.text)
  assert.equal(me.json.user.email, email)
  assert.equal((await shared.call('/api/v1/me', { headers: { cookie } })).status, 401)
  const again = await shared.call('/api/auth/sign-in/email', {
    json: { email, password },
    headers: { origin },
  })
  assert.equal(again.status, 401)
})
