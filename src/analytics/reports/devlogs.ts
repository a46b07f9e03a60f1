import type { DevlogsReport } from '../contract.ts'
import { shareOf } from '../figure.ts'
import { levelsOf } from '../levels.ts'
import {
  devlogsPerDay,
  devlogsPerHour,
  devlogsPerService,
  sumDevlogs,
  type DevlogSums,
} from '../queries/devlogs.ts'
import type { Queryable } from '../queries/query.ts'
import { currentOf, previousOf, toPeriod, type Scope } from './scope.ts'

export async function reportDevlogs(db: Queryable, scope: Scope): Promise<DevlogsReport> {
  const { groupId, service, period } = scope
  const current = { groupId, service, ...currentOf(period) }
  const [sums, before, services, days, hours] = await Promise.all([
    sumDevlogs(db, current),
    sumDevlogs(db, { groupId, service, ...previousOf(period) }),
    devlogsPerService(db, current),
    devlogsPerDay(db, current),
    devlogsPerHour(db, current),
  ])
  const levels = levelsOf(days.map(({ human, ai }) => human + ai))
  return {
    period: toPeriod(period),
    days: period.days,
    ...withShare(sums),
    by_service: services.map((row) => ({ service: row.service, ...withShare(row) })),
    per_day: days.map((day, n) => ({ ...day, level: levels[n] ?? 0 })),
    heatmap: hours,
    previous: withShare(before),
  }
}

export const withShare = ({ total, human, ai }: DevlogSums) => ({
  total,
  human,
  ai,
  ai_share: shareOf(ai, human + ai),
})
