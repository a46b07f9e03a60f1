import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { requestTime } from '#kernel/uuid'
import { waitFor } from '#test/wait'
import { deadLeases, reclaim } from './holder-store.ts'
import { exchangeLease, type LeaseRequest } from './lease-store.ts'
import { stepOf, takeRecount } from './window-store.ts'
import { ask, readLimit, setLimit, startPriced } from './testing-limits.ts'

const product = await startPriced()
assert.ok(product.target.kind === 'embedded')
const pool = new pg.Pool({ ...product.target.address, database: product.target.database, max: 2 })
// The database is dropped before its connections are closed.
pool.on('error', () => undefined)
test.after(() => pool.end())

const limit = await setLimit(product, {
  subject: { type: 'group' },
  metric: 'requests',
  amount: 10,
  window: 'total',
})
const window = { limitId: limit.id, startsAt: new Date(0) }
const request = (more: Partial<LeaseRequest>): LeaseRequest => ({
  ...window,
  holder: randomUUID(),
  report: { number: 1, spent: [] },
  ...{ reserved: 0n, hadLease: false, amount: 10n, isLast: false, asksOthers: false },
  decide: () => 0n,
  ...more,
})
const leased = async (): Promise<number> =>
  Number(
    (await pool.query('select leased from limits.windows where limit_id = $1', [limit.id])).rows[0]?.leased,
  )

test('a report that is sent again, because its answer was lost, counts once', async () => {
  const holder = randomUUID()
  const report = { number: 1, spent: [[Date.now() - (Date.now() % 10_000), 3n]] as [number, bigint][] }
  const sent = request({ holder, report, decide: () => 2n })
  assert.deepEqual((await exchangeLease(pool, sent))?.used, 3n)
  const again = await exchangeLease(pool, { ...sent, hadLease: true })
  assert.deepEqual([again?.used, again?.granted], [3n, 2n])
  assert.equal(await leased(), 2)
  await exchangeLease(
    pool,
    request({ holder, hadLease: true, isLast: true, report: { number: 2, spent: [] } }),
  )
  assert.equal(await leased(), 0)
  await pool.query('delete from limits.spent')
  await pool.query('update limits.windows set used = 0')
})

test('what an ended process held is free again, and what it spent is counted from the usage log', async () => {
  const holder = randomUUID()
  await pool.query(`insert into limits.holders (id, seen_at) values ($1, now() - interval '1 minute')`, [
    holder,
  ])
  await exchangeLease(pool, request({ holder, decide: () => 9n }))
  const full = await ask(product)
  const second = await ask(product)
  assert.deepEqual([full.status, second.status], [200, 429], 'one is left, nine are held')
  // The ended process had served two that it did not report: they are in the log only.
  const at = requestTime(full.headers.get('x-request-id') ?? '')
  await pool.query(`update limits.holders set seen_at = $2 where id = $1`, [
    holder,
    new Date(at.getTime() - 25_000),
  ])
  const dead = (await deadLeases(pool)).filter((each) => each.holder === holder)
  assert.equal(dead.length, 1)
  for (const each of dead) await reclaim(pool, each)
  assert.ok((await takeRecount(pool)) !== undefined)
  assert.equal((await deadLeases(pool)).length, 0)
  assert.ok((await leased()) < 9)
  assert.equal((await ask(product)).status, 200)
  assert.equal((await readLimit(product, limit.id)).used, 2)
})

test('a process that was taken for dead gets a new share, and its report is left to the usage log', async () => {
  const step = stepOf(Date.now())
  const report = { number: 7, spent: [[step, 4n]] as [number, bigint][] }
  const before = (await readLimit(product, limit.id)).used
  const result = await exchangeLease(pool, request({ report, hadLease: true, decide: () => 1n }))
  assert.equal(result?.granted, 1n)
  assert.equal((await readLimit(product, limit.id)).used, before)
  const { rows } = await pool.query('select from limits.recounts where ended_from = $1', [new Date(step)])
  assert.equal(rows.length, 1)
})

test('a limit that was made elsewhere while limits could not be read applies when they can be', async () => {
  assert.equal((await product.call(`/api/v1/limits/${limit.id}`, { method: 'DELETE' })).status, 204)
  await waitFor('a request', async () => (await ask(product)).status === 200)
  await pool.query('alter table limits.limits rename to hidden')
  await pool.query(
    `insert into limits.hidden (id, group_id, subject_type, metric, amount, time_window, action, on_outage, unpriced)
    select $1, id, 'group', 'requests', 0, 'total', 'block', 'refuse', 'block' from access.groups`,
    [randomUUID()],
  )
  await waitFor('the read that fails', () => /limits.*(could not|does not exist)/.test(product.logged()))
  await pool.query('alter table limits.hidden rename to limits')
  await waitFor('the limit', async () => (await ask(product)).status === 429)
})
