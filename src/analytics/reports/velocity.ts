import { readCalendar, sumPer } from '../calendar.ts'
import type { VelocityReport } from '../contract.ts'
import { figureOf, shareOf } from '../figure.ts'
import { sumDelivery, type DeliverySums } from '../queries/delivery.ts'
import type { Queryable } from '../queries/query.ts'
import { countCompleted } from '../queries/tickets.ts'
import { toPeriod, type Scope } from '../scope.ts'
import { byWeek, frequencyClass } from '../weeks.ts'

export async function reportVelocity(db: Queryable, scope: Scope): Promise<VelocityReport> {
  const { groupId, period } = scope
  const { steps, days, daysBefore } = await readCalendar(db, period)
  const [{ sums, steps: deployed }, closed] = await Promise.all([
    sumDelivery(db, scope, steps),
    countCompleted(db, groupId, period, steps),
  ])
  const perDay = (units: typeof days) => {
    const completed = sumPer(units, closed, ['completed'])
    return sumPer(units, deployed, ['succeeded', 'released']).map((deployments, n) => ({
      date: units[n]?.name ?? '',
      ...deployments,
      completed: completed[n]?.completed ?? 0,
    }))
  }
  const [shown, before] = [perDay(days), perDay(daysBefore)]
  const perWeek = (field: 'succeeded' | 'completed') =>
    figureOf((countOf(shown, field) * 7) / period.days, (countOf(before, field) * 7) / period.days)
  const [now, then] = [true, false].map((isCurrent) => sums.find((row) => row.is_current === isCurrent))
  const figure = (read: (row: DeliverySums) => number | null) =>
    figureOf(now ? read(now) : null, then ? read(then) : null)
  return {
    period: toPeriod(period),
    days: period.days,
    per_week: [...byWeek(shown)].map(([week, each]) => ({
      week,
      deployments: countOf(each, 'succeeded'),
      completed_tickets: countOf(each, 'completed'),
    })),
    deployments_per_week: perWeek('succeeded'),
    completed_tickets_per_week: perWeek('completed'),
    deployment_frequency: figureOf((now?.succeeded ?? 0) / period.days, (then?.succeeded ?? 0) / period.days),
    frequency_class: frequencyClass(shown.map(({ date, released }) => ({ date, succeeded: released }))),
    change_lead_time: figure((row) => row.median_lead_seconds),
    change_failure_rate: figure((row) => shareOf(row.failures, row.deployments)),
    time_to_restore: figure((row) => row.median_recovery_seconds),
    deployment_rework_rate: figure((row) => shareOf(row.rework, row.deployments)),
    deployments: now?.deployments ?? 0,
    failures: now?.failures ?? 0,
    unrecovered: now?.unrecovered ?? 0,
  }
}

function countOf<K extends string>(days: readonly Record<K, number>[], field: K): number {
  return days.reduce((sum, day) => sum + day[field], 0)
}
