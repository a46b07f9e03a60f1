import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopClock } from '#test/stop-clock'
import { Account } from './account.ts'
import type { LeaseRequest, LeaseResult } from './lease-store.ts'
import type { KnownLimit } from './limit.ts'
import { always } from './windows.ts'

const limit: KnownLimit = {
  id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  groupId: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e10',
  subject: { type: 'group', id: null },
  ...{
    metric: 'requests',
    amount: 80n,
    window: 'total',
    action: 'block',
    onOutage: 'refuse',
    unpriced: 'block',
  },
  timeZone: 'UTC',
  createdAt: new Date(0),
}

/** A database that can be away, with one window in it. */
function createFake() {
  const state = { isAway: false, used: 0n, leased: 0n, calls: 0, isSilent: false }
  async function exchange(_limit: unknown, _span: unknown, request: LeaseRequest): Promise<LeaseResult> {
    state.calls++
    await Promise.resolve()
    if (state.isAway) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
    state.used = request.report.spent.reduce((sum, [, units]) => sum + units, state.used)
    if (state.isSilent) await new Promise(() => undefined)
    const known = { used: state.used, leased: state.leased, isReached: state.used >= request.amount }
    return {
      ...known,
      granted: request.isLast ? 0n : request.decide(known),
      hasReached: false,
    }
  }
  const ignored = (): undefined => undefined
  const account = new Account(limit, always, {
    ...{ holder: 'a', exchange, onReached: ignored, onOutage: ignored },
  })
  return { state, account }
}

test('while the database is unavailable the share is spent, and then nothing more is taken', async () => {
  const { state, account } = createFake()
  assert.equal(account.take(1n), false)
  // One that is needed and an eighth of the other 79.
  assert.equal(await account.want(1n), 'taken')
  state.isAway = true
  let taken = 0
  while (account.take(1n)) taken++
  assert.equal(taken, 9)
  assert.equal(await account.want(1n), 'outage')
  const { calls } = state
  assert.equal(await account.want(1n), 'outage')
  assert.equal(state.calls, calls, 'it is not asked again for every request')
})

test('what was spent meanwhile is reported once when the database is back', async () => {
  const { state, account } = createFake()
  await account.want(1n)
  state.isAway = true
  account.charge(1n, Date.now())
  account.giveBack(1n)
  await account.flush()
  account.charge(2n, Date.now())
  await account.flush()
  assert.equal(state.used, 0n)
  state.isAway = false
  await account.flush()
  await account.flush()
  assert.equal(state.used, 3n)
  assert.equal(await account.close(), true)
})

test('without an answer from others nothing is asked while there is room', async () => {
  const { state, account } = createFake()
  await account.want(1n)
  const { calls } = state
  for (let n = 0; n < 4; n++) assert.equal(account.take(1n), true)
  assert.equal(state.calls, calls)
  // More than half of what was ahead is taken: the next share is fetched before this one is used up.
  account.take(1n)
  account.take(1n)
  await account.flush()
  assert.ok(state.calls > calls)
})

test('a request does not wait until a database that says nothing is given up', async (context) => {
  const clock = stopClock(context, 1_000)
  const { state, account } = createFake()
  state.isSilent = true
  assert.deepEqual(await Promise.all([account.want(1n), account.want(1n)]), ['outage', 'outage'])
  clock.set(100_000)
  assert.equal(account.want(1n), 'outage', 'the next one does not wait at all')
  assert.equal(state.calls, 1, 'the database was asked once, and that call is still open')
})

test('a request that waits for others is refused as such also where the database then says nothing', async () => {
  const { state, account } = createFake()
  state.leased = 80n
  const verdict = account.want(1n)
  await account.flush()
  state.isSilent = true
  assert.equal(await verdict, 'busy')
})
