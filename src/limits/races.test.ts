import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { ask, readLimit, removeLimit, requestCost, setLimit, startPriced } from './testing-limits.ts'

const product = await startPriced()
/** A second replica on the same database. */
const second = await startProduct({ ...product.fake.baseUrls }, product.target)
const subject = { type: 'group' }

const storm = async (count: number, more: object = {}): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { status } = await ask(n % 2 === 0 ? product : { ...second, key: product.key }, more)
      return status
    }),
  )

test('two replicas pass a budget together by one request at most', async () => {
  const limit = await setLimit(product, { subject, metric: 'cost', amount: '0.1', window: 'month' })
  // Twice as many as fit, again and again until nothing is left.
  const served: number[] = []
  for (let round = 0; round < 6; round++) {
    const statuses = await storm(60)
    assert.ok(
      statuses.every((status) => status === 200 || status === 429),
      String(statuses),
    )
    served.push(...statuses.filter((status) => status === 200))
    await readLimit({ ...second, key: product.key }, limit.id)
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
  let served = 0
  for (let round = 0; round < 3; round++)
    served += (await storm(60)).filter((status) => status === 200).length
  assert.equal(served, 50)
  await removeLimit(product, limit.id)
})

test('a request that was refused leaves nothing reserved in its other limits', async () => {
  const wide = await setLimit(product, { subject, metric: 'cost', amount: '1000', window: 'day' })
  const narrow = await setLimit(product, { subject, metric: 'requests', amount: 0, window: 'day' })
  assert.deepEqual(
    await storm(10),
    Array.from({ length: 10 }, () => 429),
  )
  assert.equal((await readLimit(product, wide.id)).reserved, '0')
  for (const { id } of [wide, narrow]) await removeLimit(product, id)
})
