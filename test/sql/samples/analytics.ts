import * as days from '../../../src/analytics/days/read-days.ts'
import { storeDays } from '../../../src/analytics/days/store-days.ts'
import { zoneDays } from '../../../src/analytics/days/zone.ts'
import * as deployments from '../../../src/analytics/queries/deployments.ts'
import * as health from '../../../src/analytics/queries/health.ts'
import * as periods from '../../../src/analytics/queries/period.ts'
import * as tickets from '../../../src/analytics/queries/tickets.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const scope = { groupId: id, from: at, to: at, tz: 'UTC', service: undefined, environment: undefined }

const span = { from: 0, to: 1 }

export const analytics: Sample = async ({ pool, answer }) => {
  await periods.daysPeriod(pool, 7, 'UTC')
  await periods.rangePeriod(pool, '2026-01-01', '2026-01-02', 'UTC')

  for (const kind of Object.keys(days.recordBytes) as days.Kind[]) {
    answer([{ day: 0, version: '1' }], [])
    await days.readDays(pool, kind, id, span, () => ({ start: 0, times: new Int32Array() }))
    answer([{ count: 0 }])
    await days.countAfterDay(pool, kind, id, 0)
  }
  await storeDays(pool)
  await zoneDays(pool, span, 'UTC')
  await deployments.blamedDeployments(pool, id, span)
  await deployments.firstSuccesses(pool, id, [{ service: 'payments', environment: 'production' }], 0)

  await tickets.staleTickets(pool, id, 14, 100)
  await tickets.countOpen(pool, id, 14)

  await health.sumHealth(pool, scope, 'hour')
  await health.healthBuckets(pool, scope, 'hour', [at])
}
