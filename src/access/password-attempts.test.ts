import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct, type Product } from '#test/product'

const settings = { AUTH: 'required', TRUSTED_PROXIES: '127.0.0.1', SESSION_SECRET: 'x'.repeat(32) }
const product = await startProduct(settings)
// A second replica on the same database.
const replica = await startProduct(settings, product.target)
const password = 'correct horse battery'

interface Visitor {
  from: string
  cookie?: string
  at?: Product
}

/** A request of somebody behind the proxy that the server trusts. */
function post(path: string, json: object, { from, cookie, at = product }: Visitor) {
  const headers = { origin: at.url, 'x-forwarded-for': from, ...(cookie && { cookie }) }
  return at.call(path, { json, headers })
}

async function join(token: string, email: string, from: string): Promise<string> {
  const joined = await post(
    '/api/auth/invitation/accept',
    { token, name: 'Someone', email, password },
    { from },
  )
  assert.equal(joined.status, 200, joined.text)
  return joined.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

// Each start makes a new link until one is used.
const owner = await join(replica.first.ownerToken?.reveal() ?? '', 'owner@example.com', '198.51.100.1')

async function invite(): Promise<string> {
  const headers = { cookie: owner, origin: product.url }
  const { json: me } = await product.call('/api/v1/me', { headers })
  const { json } = await product.call(`/api/v1/groups/${me.group_id}/invitations`, {
    json: { role: 'member' },
    headers,
  })
  return new URL(json.url).searchParams.get('token') ?? ''
}

async function statuses(times: number, attempt: (number: number) => Promise<{ status: number }>) {
  const seen: number[] = []
  for (let number = 0; number < times; number++) seen.push((await attempt(number)).status)
  return seen
}

const signIn = (email: string, given: string, visitor: Visitor) =>
  post('/api/auth/sign-in/email', { email, password: given }, visitor)

test('one who guesses is stopped on every replica, and locks out neither colleagues nor the owner elsewhere', async () => {
  await join(await invite(), 'colleague@example.com', '198.51.100.2')
  const attacker = { from: '203.0.113.7' }
  const seen = await statuses(10, (number) => signIn('owner@example.com', `guess ${number}`, attacker))
  assert.deepEqual(new Set(seen), new Set([401]))
  for (const at of [product, replica]) {
    const stopped = await signIn('Owner@Example.com', password, { ...attacker, at })
    assert.deepEqual([stopped.status, stopped.json.error.code], [429, 'rate_limit'])
    const wait = Number(stopped.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 300, `${wait} s`)
  }
  assert.equal((await signIn('colleague@example.com', password, attacker)).status, 200)
  assert.equal((await signIn('owner@example.com', password, { from: '198.51.100.1' })).status, 200)
})

test('an invitation is no way to try the passwords of others', async () => {
  const token = await invite()
  const accept = (given: string) =>
    post(
      '/api/auth/invitation/accept',
      { token, name: 'Guesser', email: 'owner@example.com', password: given },
      { from: '203.0.113.8' },
    )
  const seen = await statuses(12, (number) => accept(`a wrong guess ${number}`))
  assert.deepEqual(seen, [...Array.from({ length: 10 }, () => 409), 429, 429])
  assert.equal((await accept(password)).status, 429, 'the right one is not told apart')
})

test('a stolen session is no way to try the password', async () => {
  const change = (currentPassword: string) =>
    post(
      '/api/auth/change-password',
      { currentPassword, newPassword: 'another horse battery' },
      { from: '203.0.113.9', cookie: owner },
    )
  const seen = await statuses(11, (number) => change(`a wrong guess ${number}`))
  assert.ok(
    seen.slice(0, 10).every((status) => status >= 400 && status < 429),
    seen.join(' '),
  )
  assert.equal(seen[10], 429)
})

test('the right password forgets the wrong ones before it', async () => {
  const person = { from: '203.0.113.10' }
  for (let round = 0; round < 2; round++) {
    await statuses(9, (number) => signIn('colleague@example.com', `typo ${number}`, person))
    assert.equal((await signIn('colleague@example.com', password, person)).status, 200)
  }
})

test('addresses of one IPv6 network count as one, and an unknown account is limited like a known one', async () => {
  const guess = (number: number) =>
    signIn('nobody@example.com', 'a guess', { from: `2001:db8:1:2::${(number + 1).toString(16)}` })
  const seen = await statuses(11, guess)
  assert.deepEqual(seen, [...Array.from({ length: 10 }, () => 401), 429])
})

test('without TRUSTED_PROXIES nobody chooses an address with X-Forwarded-For', async () => {
  const direct = await startProduct({ AUTH: 'required' })
  const seen = await statuses(11, (number) =>
    signIn('nobody@example.com', 'a guess', { from: `203.0.113.${number}`, at: direct }),
  )
  assert.equal(seen[10], 429, seen.join(' '))
})
