import assert from 'node:assert/strict'
import { test } from 'node:test'
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
