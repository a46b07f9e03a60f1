import type { DeploymentCounts, DeploymentsReport } from '../contract.ts'
import { shareOf } from '../figure.ts'
import {
  deploymentsPerDay,
  deploymentsPerHour,
  sumDeployments,
  type DeploymentDay,
  type DeploymentScope,
  type DeploymentSums,
} from '../queries/deployments.ts'
import type { Queryable } from '../queries/query.ts'
import { byWeek } from '../weeks.ts'
import { currentOf, previousOf, toPeriod, type Scope } from './scope.ts'

type Sums = Omit<DeploymentCounts, 'service'>

const hourlyDays = 3

export async function reportDeployments(db: Queryable, scope: Scope): Promise<DeploymentsReport> {
  const { period } = scope
  const current = scopeOf(scope, currentOf(period))
  const previous = scopeOf(scope, previousOf(period))
  const [sums, days, sumsBefore, daysBefore, hours] = await Promise.all([
    sumDeployments(db, current),
    deploymentsPerDay(db, current),
    sumDeployments(db, previous),
    deploymentsPerDay(db, previous),
    period.days <= hourlyDays ? deploymentsPerHour(db, current) : null,
  ])
  const all = toSums(sums.find(({ service }) => service === null))
  return {
    period: toPeriod(period),
    days: period.days,
    ...all,
    deployments_per_day: all.succeeded / period.days,
    per_day: days,
    per_week: [...byWeek(days)].map(([week, each]) => ({ week, ...countsOf(each) })),
    per_hour: hours?.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })) ?? null,
    by_service: sums.flatMap((row) =>
      row.service === null ? [] : [{ service: row.service, ...toSums(row) }],
    ),
    previous: { ...toSums(sumsBefore.find(({ service }) => service === null)), per_day: daysBefore },
  }
}

export function scopeOf(
  { groupId, service, environment }: Scope,
  range: Pick<DeploymentScope, 'from' | 'to' | 'tz'>,
): DeploymentScope {
  return { groupId, service, environment, ...range }
}

const countsOf = (days: readonly DeploymentDay[]): Pick<DeploymentDay, 'succeeded' | 'failed'> => ({
  succeeded: days.reduce((sum, day) => sum + day.succeeded, 0),
  failed: days.reduce((sum, day) => sum + day.failed, 0),
})

export function toSums(row: DeploymentSums | undefined): Sums {
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
    median_build_seconds: row?.median_build_seconds ?? null,
    p95_build_seconds: row?.p95_build_seconds ?? null,
    lead_time: leadTimeOf(row),
  }
}

function leadTimeOf(row: DeploymentSums | undefined): Sums['lead_time'] {
  if (!row || row.lead_count === 0) return null
  return {
    median_seconds: row.median_lead_seconds ?? 0,
    average_seconds: row.average_lead_seconds ?? 0,
    p95_seconds: row.p95_lead_seconds ?? 0,
    deployments: row.lead_count,
  }
}
