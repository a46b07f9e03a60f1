import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import {
  ask,
  readLimit,
  removeLimit,
  requestCost,
  setLimit,
  setPrice,
  startPriced,
} from './testing-limits.ts'

const product = await startPriced()
/** A second replica on the same database. */
const second = {
  ...(await startProduct({ ...product.fake.baseUrls }, product.target)),
  key: product.key,
}
const subject = { type: 'group' }

const storm = async (count: number, more: object = {}): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { status } = await ask(n % 2 === 0 ? product : second, more)
      return status
    }),
  )

const other = await product.call('/api/v1/groups', { json: { name: 'Other' } })
const inOther = `?group_id=${other.json.id}`
const otherKey = await product.call(`/api/v1/keys${inOther}`, { json: { name: 'a', scopes: ['gateway'] } })
const providerKey = { api_key: 'sk-planted-of-the-other-group', name: 'a' }
await product.call(`/providers/openai${inOther}`, {
  json: providerKey,
  headers: { accept: 'application/json' },
})

/** Resolves when the second replica knows what was made before: it hears of a limit of another group after that. */
async function heard(): Promise<void> {
  const nothing = { subject, metric: 'requests', amount: 0, window: 'day' }
  const { status, json, text } = await product.call(`/api/v1/limits${inOther}`, { json: nothing })
  assert.equal(status, 201, text)
  await waitFor('the second replica', async () => (await ask(second, {}, otherKey.json.key)).status === 429)
  await product.call(`/api/v1/limits/${json.id}${inOther}`, { method: 'DELETE' })
}

test('two replicas pass a budget together by one request at most', async () => {
  const limit = await setLimit(product, { subject, metric: 'cost', amount: '0.1', window: 'month' })
  await heard()
  // Twice as many as fit, again and again until nothing is left.
  const served: number[] = []
  for (let round = 0; round < 6; round++) {
    const statuses = await storm(60)
    assert.ok(
      statuses.every((status) => status === 200 || status === 429),
      String(statuses),
    )
    served.push(...statuses.filter((status) => status === 200))
    await readLimit(second, limit.id)
    await readLimit(product, limit.id)
  }
  const spent = served.length * requestCost
  assert.ok(spent <= 0.1 + requestCost + 1e-9, `${spent} spent`)
  assert.ok(spent >= 0.1 - 1e-9, `only ${spent} spent`)
  assert.equal(Number((await readLimit(product, limit.id)).used), Number(spent.toFixed(3)))
  await removeLimit(product, limit.id)
})

test('two replicas let exactly as many requests through as a limit of requests has', async () => {
  const limit = await setLimit(product, {
    subject,
    metric: 'requests',
    amount: 50,
    window: 'month',
    action: 'block',
  })
  const before = Number(limit.used)
  const raised = { method: 'PATCH', json: { amount: before + 50 } }
  assert.equal((await product.call(`/api/v1/limits/${limit.id}`, raised)).status, 200)
  await heard()
  let served = 0
  for (let round = 0; round < 3; round++)
    served += (await storm(60)).filter((status) => status === 200).length
  assert.equal(served, 50)
  await removeLimit(product, limit.id)
})

test('a request that was refused leaves nothing reserved in its other limits', async () => {
  const wide = await setLimit(product, { subject, metric: 'cost', amount: '1000', window: 'day' })
  const narrow = await setLimit(product, { subject, metric: 'requests', amount: 0, window: 'day' })
  await heard()
  assert.deepEqual(
    await storm(10),
    Array.from({ length: 10 }, () => 429),
  )
  assert.equal((await readLimit(product, wide.id)).reserved, '0')
  for (const { id } of [wide, narrow]) await removeLimit(product, id)
})

test('a first burst of requests of which nothing is known passes a budget by one request at most', async () => {
  const model = 'claude-sonnet-5-5'
  await setPrice(product, model, '1', '10')
  // 1,000 tokens in and 4,000 out, twice what anybody would guess: 0.041 dollars.
  const usage = { input: 1_000, output: 4_000, reasoning: 0, cached: 0 }
  product.fake.always('anthropic', { usage, headersAfterMs: 100 })
  const limit = await setLimit(product, {
    ...{ subject: { type: 'model', id: model }, metric: 'cost', amount: '0.1', window: 'month' },
  })
  // Counting tokens is a request for the model too, and says nothing about what it writes.
  product.fake.script('anthropic', { body: { json: { input_tokens: 9 } } })
  const counted = { model, messages: [{ role: 'user', content: 'Hello' }] }
  const { status } = await product.call('/v1/messages/count_tokens', { key: product.key, json: counted })
  assert.equal(status, 200)
  await heard()
  let served = 0
  for (let round = 0; round < 4; round++)
    served += (await storm(30, { model, max_tokens: undefined })).filter((status) => status === 200).length
  assert.equal(served, 3, 'after 0.082 dollars something is left for one more')
  assert.equal((await readLimit(product, limit.id)).used, '0.123')
  await removeLimit(product, limit.id)
})

test('a client that allows a response of any length does not reserve the whole budget', async () => {
  const limit = await setLimit(product, { subject, metric: 'cost', amount: '100', window: 'month' })
  product.fake.script('openai', { headersAfterMs: 500 })
  const long = ask(product, { max_tokens: 999_999_999 })
  await product.fake.waitForRequests(product.fake.requests.length + 1)
  assert.deepEqual(await storm(4), [200, 200, 200, 200])
  assert.ok(Number((await readLimit(product, limit.id)).reserved) < 11)
  await long
  await removeLimit(product, limit.id)
})

test('requests that wait for a limit go through when it is deleted, in every replica', async () => {
  const limit = await setLimit(product, { subject, metric: 'concurrent', amount: 1 })
  await heard()
  product.fake.script('openai', { headersAfterMs: 1_500 })
  const running = ask(product)
  await product.fake.waitForRequests(product.fake.requests.length + 1)
  const waiting = storm(6)
  // Both were asked after the requests.
  for (const replica of [product, second]) await readLimit(replica, limit.id)
  assert.equal((await removeLimit(product, limit.id)).status, 204)
  assert.deepEqual(
    await waiting,
    Array.from({ length: 6 }, () => 200),
  )
  assert.equal((await running).status, 200)
  assert.ok(!product.logged().includes('limits cannot be counted in the database'))
})
