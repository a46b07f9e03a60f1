import { readDays } from '../../../src/analytics/calendar.ts'
import { sumDelivery } from '../../../src/analytics/queries/delivery.ts'
import { countDeployments } from '../../../src/analytics/queries/deployments.ts'
import { countDevlogs, countDevlogSteps } from '../../../src/analytics/queries/devlogs.ts'
import * as health from '../../../src/analytics/queries/health.ts'
import * as periods from '../../../src/analytics/queries/period.ts'
import * as tickets from '../../../src/analytics/queries/tickets.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const period = { from: at, to: at, previousFrom: at, previousTo: at, days: 1, tz: 'UTC' }
const scope = { groupId: id, period }
const checks = { groupId: id, service: undefined, from: at, to: at, tz: 'UTC' }

export const analytics: Sample = async ({ pool }) => {
  await periods.daysPeriod(pool, 7, 'UTC')
  await periods.rangePeriod(pool, '2026-01-01', '2026-01-02', 'UTC')
  await readDays(pool, at, at, 'UTC')

  for (const isByService of [true, false]) await countDeployments(pool, scope, [at], isByService)
  await sumDelivery(pool, scope, [at])
  await countDevlogs(pool, scope, [at])
  await countDevlogSteps(pool, scope, [at])

  await tickets.countTickets(pool, id, period, [at])
  await tickets.countCompleted(pool, id, period, [at])
  await tickets.staleTickets(pool, id, 14, 100)
  await tickets.countOpen(pool, id, 14)

  await health.sumHealth(pool, checks, 'hour')
  await health.healthBuckets(pool, checks, 'hour', [at])
}
