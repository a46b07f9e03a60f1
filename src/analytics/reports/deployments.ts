import { readCalendar, sumPer } from '../calendar.ts'
import type { DeploymentCounts, DeploymentsReport } from '../contract.ts'
import { shareOf } from '../figure.ts'
import { countDeployments, type DeploymentSums } from '../queries/deployments.ts'
import type { Queryable } from '../queries/query.ts'
import { toPeriod, type Scope } from '../scope.ts'
import { byWeek } from '../weeks.ts'

type Sums = Omit<DeploymentCounts, 'service'>

export async function reportDeployments(db: Queryable, scope: Scope): Promise<DeploymentsReport> {
  const { period } = scope
  const calendar = await readCalendar(db, period)
  const { sums, steps } = await countDeployments(db, scope, calendar.steps, true)
  const counts = (units: typeof calendar.days) => sumPer(units, steps, ['succeeded', 'failed'])
  const perDay = (units: typeof calendar.days) =>
    counts(units).map((each, n) => ({ date: units[n]?.name ?? '', ...each }))
  const days = perDay(calendar.days)
  const { hours } = calendar
  const all = toSums(sums.find((row) => row.is_current && row.service === null))
  return {
    period: toPeriod(period),
    days: period.days,
    ...all,
    deployments_per_day: all.succeeded / period.days,
    per_day: days,
    per_week: [...byWeek(days)].map(([week, each]) => ({
      week,
      succeeded: each.reduce((sum, day) => sum + day.succeeded, 0),
      failed: each.reduce((sum, day) => sum + day.failed, 0),
    })),
    per_hour: hours && counts(hours).map((each, n) => ({ at: hours[n]?.name ?? '', ...each })),
    by_service: sums.flatMap((row) =>
      row.service === null ? [] : [{ service: row.service, ...toSums(row) }],
    ),
    previous: { ...toSums(sums.find((row) => !row.is_current)), per_day: perDay(calendar.daysBefore) },
  }
}

function toSums(row: DeploymentSums | undefined): Sums {
  const { total = 0, succeeded = 0, failed = 0, rolled_back = 0, running = 0 } = row ?? {}
  return {
    total,
    succeeded,
    failed,
    rolled_back,
    running,
    success_rate: shareOf(succeeded, succeeded + failed),
    failure_rate: shareOf(failed, succeeded + failed),
    average_build_seconds: row?.average_build_seconds ?? null,
    median_build_seconds: row?.build_seconds?.[0] ?? null,
    p95_build_seconds: row?.build_seconds?.[1] ?? null,
    lead_time: leadTimeOf(row),
  }
}

function leadTimeOf(row: DeploymentSums | undefined): Sums['lead_time'] {
  if (!row?.lead_seconds) return null
  const [median, p95] = row.lead_seconds
  return {
    median_seconds: median,
    average_seconds: row.average_lead_seconds ?? 0,
    p95_seconds: p95,
    deployments: row.lead_count,
  }
}
