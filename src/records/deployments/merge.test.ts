import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeploymentReport } from '../writer.ts'
import { fromReport, mergeReport, type DeploymentRow } from './merge.ts'

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 16, 10, minute))
const report = (
  status: DeploymentReport['status'],
  minute: number,
  more: Partial<DeploymentReport> = {},
) => ({
  service: 'api',
  source: 'github',
  external_id: '1',
  status,
  at: at(minute),
  ...more,
})

/** The row after these reports, in this order. */
function after(...reports: DeploymentReport[]): DeploymentRow {
  const [first, ...rest] = reports
  assert.ok(first)
  const ids = { id: 'd', group_id: 'g' }
  return rest.reduce<DeploymentRow>(
    (row, next) => {
      const defined = Object.entries(mergeReport(row, next)).filter(([, value]) => value !== undefined)
      return { ...row, ...Object.fromEntries(defined) }
    },
    fromReport(first, ids),
  )
}

const seen = ({ status, started_at, finished_at, commit }: DeploymentRow) => [
  status,
  started_at.getUTCMinutes(),
  finished_at?.getUTCMinutes() ?? null,
  commit,
]

test('every order of the same reports ends in the same deployment', () => {
  const [started, succeeded, rolledBack] = [
    report('started', 1, { commit: 'abc' }),
    report('succeeded', 5),
    report('rolled_back', 9),
  ]
  const orders = [
    [started, succeeded, rolledBack],
    [started, rolledBack, succeeded],
    [succeeded, started, rolledBack],
    [succeeded, rolledBack, started],
    [rolledBack, started, succeeded],
    [rolledBack, succeeded, started],
  ]
  for (const order of orders) assert.deepEqual(seen(after(...order)), ['rolled_back', 1, 5, 'abc'])
})

test('of two reports with the same time the one further on wins', () => {
  const [started, succeeded] = [report('started', 3), report('succeeded', 3)]
  assert.equal(after(started, succeeded).status, 'succeeded')
  assert.equal(after(succeeded, started).status, 'succeeded')
})

test('a deployment that is started again is measured from there', () => {
  const [first, failed, again, succeeded] = [
    report('started', 1),
    report('failed', 4),
    report('started', 20),
    report('succeeded', 26),
  ]
  assert.deepEqual(seen(after(first, failed, again)).slice(0, 3), ['started', 20, null])
  assert.deepEqual(seen(after(first, again, failed)).slice(0, 3), ['started', 1, null])
  assert.deepEqual(seen(after(first, failed, again, succeeded)).slice(0, 3), ['succeeded', 20, 26])
})

test('a start that comes late, between two ends, began the last attempt', () => {
  for (const end of ['succeeded', 'failed'] as const) {
    const [first, ended, again, endedAgain] = [
      report('started', 1),
      report(end, 4),
      report('started', 20),
      report(end, 26),
    ]
    assert.deepEqual(seen(after(first, ended, again, endedAgain)).slice(0, 3), [end, 20, 26])
    assert.deepEqual(seen(after(first, ended, endedAgain, again)).slice(0, 3), [end, 20, 26])
  }
})

test('a report that comes twice changes nothing', () => {
  const reports = [report('started', 1), report('succeeded', 5)]
  assert.deepEqual(seen(after(...reports, ...reports)), seen(after(...reports)))
})
