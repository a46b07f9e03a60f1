import assert from 'node:assert/strict'
import type { Answer, CallOptions, Product } from './product.ts'

/** Sends requests as one person or one key, and as nobody else. */
export type Ask = (path: string, options?: CallOptions) => Promise<Answer>

/** A new person with this role, signed in by a session as a browser is. */
export async function personWith(
  product: Product,
  role: string,
  groupId = product.first.groupId,
): Promise<Ask & { id: string }> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`
  const { json } = await product.call(`/api/v1/groups/${groupId}/invitations`, { json: { role } })
  const token = new URL(json.url as string).searchParams.get('token') ?? ''
  const accepted = await product.call('/api/auth/invitation/accept', {
    json: { token, name: email, email, password: 'a long enough password' },
    headers: { origin: product.url },
  })
  assert.equal(accepted.status, 200, accepted.text)
  const cookie = accepted.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  // An empty owner token takes the place of the harness's.
  const ask: Ask = (path, options = {}) =>
    product.call(path, {
      ...options,
      headers: { origin: product.url, cookie, 'x-owner-token': '', ...options.headers },
    })
  const id = (await ask('/api/v1/me')).json.user.id as string
  return Object.assign(ask, { id })
}

/** A new key with these scopes, made by the local owner or by somebody else. */
export async function keyWith(product: Product, scopes: string[], by: Ask = product.call): Promise<Ask> {
  const { status, json, text } = await by('/api/v1/keys', { json: { name: scopes.join(' '), scopes } })
  assert.equal(status, 201, text)
  return (path, options = {}) => product.call(path, { ...options, key: json.key as string })
}
