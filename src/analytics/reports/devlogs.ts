import type { DevlogsReport } from '../contract.ts'
import { readDevlogs } from '../days/devlogs.ts'
import { zoneDays } from '../days/zone.ts'
import { shareOf } from '../figure.ts'
import { levelsOf } from '../levels.ts'
import type { Queryable } from '../queries/query.ts'
import { hoursOf } from '../sums/borders.ts'
import { devlogsPerHour, devlogTimes, sumDevlogs, type DevlogSums } from '../sums/devlogs.ts'
import { spansOf, toPeriod, type Scope } from './scope.ts'

export async function reportDevlogs(db: Queryable, scope: Scope): Promise<DevlogsReport> {
  const { groupId, service, period } = scope
  const { current, previous, both } = spansOf(period)
  const [devlogs, zone, zoneBefore] = await Promise.all([
    readDevlogs(db, groupId, both),
    zoneDays(db, current, period.tz),
    zoneDays(db, previous, period.tz),
  ])
  const [sums, services] = sumDevlogs(devlogs, current, service)
  const [before] = sumDevlogs(devlogs, previous, service)
  const { days, hours } = devlogTimes(devlogs, current, service, zone)
  const starts = hoursOf(current, period.days)
  const levels = levelsOf(days.map(({ human, ai }) => human + ai))
  return {
    period: toPeriod(period),
    days: period.days,
    ...withShare(sums),
    by_service: services.map((row) => ({ service: row.service, ...withShare(row) })),
    per_day: days.map((day, n) => ({ ...day, level: levels[n] ?? 0 })),
    per_hour: starts && devlogsPerHour(devlogs, current, service, starts),
    heatmap: hours,
    previous: {
      ...withShare(before),
      per_day: devlogTimes(devlogs, previous, service, zoneBefore).days,
    },
  }
}

export const withShare = ({ total, human, ai }: DevlogSums) => ({
  total,
  human,
  ai,
  ai_share: shareOf(ai, human + ai),
})
