import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { createRateLimit } from './rate-limit.ts'

test('a network may send a burst, then as many as are refilled', () => {
  let now = 1_000_000
  const limit = createRateLimit({ burst: 3, perSecond: 2, now: () => now })
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit('192.0.2.1')),
    [0, 0, 0, 1],
  )
  assert.equal(limit('192.0.2.2'), 0)
  now += 500
  assert.deepEqual(
    [1, 2].map(() => limit('192.0.2.1')),
    [0, 1],
  )
  now += 3_600_000
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit('192.0.2.1')),
    [0, 0, 0, 1],
  )
})

test('a clock of the machine that is set back stops no refill', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 3_600_000 })
  const limit = createRateLimit({ burst: 1, perSecond: 1_000_000 })
  assert.equal(limit('192.0.2.1'), 0)
  context.mock.timers.setTime(0)
  const later = performance.now() + 1
  while (performance.now() < later);
  assert.equal(limit('192.0.2.1'), 0)
})

test('the addresses of one IPv6 network count as one', () => {
  const limit = createRateLimit({ burst: 2, perSecond: 1, now: () => 0 })
  assert.deepEqual(
    ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:DB8::3'].map((address) => limit(address)),
    [0, 0, 1],
  )
  assert.equal(limit('2001:db8:0:1::1'), 0)
  assert.deepEqual(
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'].map((address) => limit(address)),
    [0, 0],
  )
})

test('an address without identity is limited on the API and not on pages, and its keys still work', async () => {
  const { call, key } = await startProduct()
  const statuses = new Set<number>()
  for (let round = 0; round < 40 && !statuses.has(429); round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('/api/auth/options')))
    for (const { status } of answers) statuses.add(status)
  }
  assert.deepEqual(statuses, new Set([200, 429]))
  // Several at once: on a slow machine one of them may be permitted again.
  const signIn = { json: { email: 'a@example.com', password: 'x' } }
  const answers = await Promise.all(Array.from({ length: 40 }, () => call('/api/auth/sign-in/email', signIn)))
  const refused = answers.find(({ status }) => status === 429)
  assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await call('/livez')).status, 200)
  assert.equal((await call('/api/v1/keys', { key })).status, 200)
})
