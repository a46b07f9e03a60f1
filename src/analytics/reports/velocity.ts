import type { VelocityReport } from '../contract.ts'
import { figureOf, shareOf } from '../figure.ts'
import { deploymentsPerDay, sumDelivery } from '../queries/deployments.ts'
import type { Queryable } from '../queries/query.ts'
import { ticketsPerDay } from '../queries/tickets.ts'
import { byWeek, frequencyClass } from '../weeks.ts'
import { scopeOf } from './deployments.ts'
import { currentOf, previousOf, toPeriod, type Scope } from './scope.ts'

export async function reportVelocity(db: Queryable, scope: Scope): Promise<VelocityReport> {
  const { groupId, period } = scope
  const [current, previous] = [currentOf(period), previousOf(period)]
  const [delivery, before, days, daysBefore, tickets, ticketsBefore] = await Promise.all([
    sumDelivery(db, scopeOf(scope, current)),
    sumDelivery(db, scopeOf(scope, previous)),
    deploymentsPerDay(db, scopeOf(scope, current)),
    deploymentsPerDay(db, scopeOf(scope, previous)),
    ticketsPerDay(db, groupId, current),
    ticketsPerDay(db, groupId, previous),
  ])
  const completed = byWeek(tickets)
  const [now, then] = [countOf(days, 'succeeded'), countOf(daysBefore, 'succeeded')]
  return {
    period: toPeriod(period),
    days: period.days,
    per_week: [...byWeek(days)].map(([week, each]) => ({
      week,
      deployments: countOf(each, 'succeeded'),
      completed_tickets: countOf(completed.get(week) ?? [], 'completed'),
    })),
    deployments_per_week: figureOf((now * 7) / period.days, (then * 7) / period.days),
    completed_tickets_per_week: figureOf(
      (countOf(tickets, 'completed') * 7) / period.days,
      (countOf(ticketsBefore, 'completed') * 7) / period.days,
    ),
    deployment_frequency: figureOf(delivery.succeeded / period.days, before.succeeded / period.days),
    frequency_class: frequencyClass(days),
    change_lead_time: figureOf(delivery.median_lead_seconds, before.median_lead_seconds),
    change_failure_rate: figureOf(
      shareOf(delivery.failures, delivery.deployments),
      shareOf(before.failures, before.deployments),
    ),
    time_to_restore: figureOf(delivery.median_recovery_seconds, before.median_recovery_seconds),
    deployment_rework_rate: figureOf(
      shareOf(delivery.rework, delivery.deployments),
      shareOf(before.rework, before.deployments),
    ),
    deployments: delivery.deployments,
    failures: delivery.failures,
    unrecovered: delivery.unrecovered,
  }
}

function countOf<K extends string>(days: readonly Record<K, number>[], field: K): number {
  return days.reduce((sum, day) => sum + day[field], 0)
}
