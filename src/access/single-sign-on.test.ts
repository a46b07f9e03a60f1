import assert from 'node:assert/strict'
import { test } from 'node:test'
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

const signIn = (product: Product, email: string, verified = true) =>
  signInWith(issuer, product, email, verified)

test('the sign-in page learns the name of the issuer and no secret', async () => {
  const product = await startProduct(environment)
  const { json, text } = await product.call('/api/auth/options')
  assert.deepEqual(json, { local: false, password: true, oidc: { name: 'Example ID' } })
  assert.ok(!text.includes('planted'))
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
