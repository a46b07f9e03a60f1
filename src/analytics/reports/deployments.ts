import type { DeploymentCounts, DeploymentsReport } from '../contract.ts'
import { readDeployments, type DeploymentsOf } from '../days/deployments.ts'
import { zoneDays } from '../days/zone.ts'
import { shareOf } from '../figure.ts'
import type { Queryable } from '../queries/query.ts'
import { hoursOf } from '../sums/borders.ts'
import {
  deploymentsPerDay,
  deploymentsPerHour,
  sumDeployments,
  totalOf,
  type DeploymentDay,
  type DeploymentSums,
} from '../sums/deployments.ts'
import { byWeek } from '../weeks.ts'
import { spansOf, toPeriod, type Scope } from './scope.ts'

type Sums = Omit<DeploymentCounts, 'service'>

export async function reportDeployments(db: Queryable, scope: Scope): Promise<DeploymentsReport> {
  const { period } = scope
  const { current, previous, both } = spansOf(period)
  const [columns, days, daysBefore] = await Promise.all([
    readDeployments(db, chosenBy(scope), both),
    zoneDays(db, current, period.tz),
    zoneDays(db, previous, period.tz),
  ])
  const sums = sumDeployments(columns, current)
  const perDay = deploymentsPerDay(columns, current, days)
  const all = toSums(sums[0])
  const hours = hoursOf(current, period.days)
  return {
    period: toPeriod(period),
    days: period.days,
    ...all,
    deployments_per_day: all.succeeded / period.days,
    per_day: perDay,
    per_week: [...byWeek(perDay)].map(([week, each]) => ({ week, ...countsOf(each) })),
    per_hour: hours && deploymentsPerHour(columns, current, hours),
    by_service: sums.flatMap((row) =>
      row.service === null ? [] : [{ service: row.service, ...toSums(row) }],
    ),
    previous: {
      ...toSums(totalOf(columns, previous)),
      per_day: deploymentsPerDay(columns, previous, daysBefore),
    },
  }
}

export function chosenBy({ groupId, service, environment }: Scope): DeploymentsOf {
  return {
    groupId,
    service,
    isOfEnvironment: (name) => environment === undefined || name === environment,
  }
}

const countsOf = (days: readonly DeploymentDay[]): Pick<DeploymentDay, 'succeeded' | 'failed'> => ({
  succeeded: days.reduce((sum, day) => sum + day.succeeded, 0),
  failed: days.reduce((sum, day) => sum + day.failed, 0),
})

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
