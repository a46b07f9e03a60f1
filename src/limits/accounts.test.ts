import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { stopClock } from '#test/stop-clock'
import { waitFor } from '#test/wait'
import { Accounts, type AccountsDeps } from './accounts.ts'
import { toKnown } from './limit.ts'
import type { LimitRow } from './limit-store.ts'

const row: LimitRow = {
  ...{ id: 'limit', group_id: 'group', subject_type: 'group', subject_id: null, metric: 'cost' },
  ...{ amount: '1', time_window: 'month', action: 'block', on_outage: 'refuse', unpriced: 'block' },
  ...{ created_by: null, created_at: new Date(), updated_at: new Date() },
}

test('a window ends by the time zone that the group has chosen meanwhile', () => {
  // Nothing is asked of the database before a share is needed.
  const accounts = new Accounts({} as AccountsDeps)
  const [inUtc, inLondon] = [toKnown(row, 'UTC'), toKnown(row, 'Europe/London')]
  const startOf = (limit: typeof inUtc, at: string): string =>
    accounts.of(limit, Date.parse(at)).span.startsAt.toISOString()
  assert.equal(startOf(inUtc, '2026-03-10T12:00:00Z'), '2026-03-01T00:00:00.000Z')
  accounts.renew(() => inLondon)
  // March begins at the same moment in both, and ends an hour earlier in London.
  assert.equal(startOf(inLondon, '2026-03-10T12:00:00Z'), '2026-03-01T00:00:00.000Z')
  assert.equal(startOf(inLondon, '2026-03-31T23:30:00Z'), '2026-03-31T23:00:00.000Z')
  assert.equal(startOf(inLondon, '2026-03-31T22:30:00Z'), '2026-03-01T00:00:00.000Z')
})

test('a stop does not wait for one limit after the other where the database says nothing', async (context) => {
  const clock = stopClock(context, 1_000)
  const open: ((error: Error) => void)[] = []
  const query = (): Promise<never> => new Promise((_done, reject) => void open.push(reject))
  const pool = { query, connect: query } as unknown as pg.Pool
  const log = { warn: () => undefined }
  const accounts = new Accounts({ pool, log } as unknown as AccountsDeps)
  const limits = Array.from({ length: 12 }, (_, n) => toKnown({ ...row, id: `limit ${n}` }, 'UTC'))
  for (const limit of limits) accounts.of(limit, Date.now()).charge(1n, Date.now())
  clock.set(10_000)
  accounts.start()
  await waitFor('the first limit that nobody uses any more', () => open.length > 0)
  let isOver = false
  const stopped = accounts.stop().then(() => (isOver = true))
  let rounds = 0
  for (; !isOver; rounds++) {
    // The connections are given up after some seconds.
    for (const giveUp of open.splice(0)) giveUp(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }))
    await waitFor('the next ones', () => isOver || open.length > 0)
  }
  await stopped
  assert.ok(rounds < limits.length / 2, `${rounds} times`)
})
