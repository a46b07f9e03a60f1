import * as deployments from '../../../src/analytics/queries/deployments.ts'
import * as devlogs from '../../../src/analytics/queries/devlogs.ts'
import * as health from '../../../src/analytics/queries/health.ts'
import * as periods from '../../../src/analytics/queries/period.ts'
import * as tickets from '../../../src/analytics/queries/tickets.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const scope = { groupId: id, from: at, to: at, tz: 'UTC', service: undefined, environment: undefined }

export const analytics: Sample = async ({ pool }) => {
  await periods.daysPeriod(pool, 7, 'UTC')
  await periods.rangePeriod(pool, '2026-01-01', '2026-01-02', 'UTC')

  await deployments.sumDeployments(pool, scope)
  await deployments.deploymentsPerDay(pool, scope)
  await deployments.deploymentsPerHour(pool, scope)
  await deployments.sumDelivery(pool, scope)

  await tickets.sumTickets(pool, id, scope)
  await tickets.ticketsPerDay(pool, id, scope)
  await tickets.staleTickets(pool, id, 14, 100)
  await tickets.countOpen(pool, id, 14)
  await tickets.openAt(pool, id, at)

  await health.sumHealth(pool, scope, 'hour')
  await health.healthBuckets(pool, scope, 'hour', 'day')
  await health.dayStarts(pool, scope)

  await devlogs.sumDevlogs(pool, scope)
  await devlogs.devlogsPerService(pool, scope)
  await devlogs.devlogsPerDay(pool, scope)
  await devlogs.devlogsPerHour(pool, scope)
}
