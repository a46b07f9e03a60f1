import type { VelocityReport } from '../contract.ts'
import { readDeployments, type Lane } from '../days/deployments.ts'
import { readClosedTickets } from '../days/tickets.ts'
import { zoneDays } from '../days/zone.ts'
import { figureOf, shareOf } from '../figure.ts'
import { blamedDeployments, firstSuccesses } from '../queries/deployments.ts'
import type { Queryable } from '../queries/query.ts'
import { reworkMs, sumDelivery } from '../sums/delivery.ts'
import { deploymentsPerDay } from '../sums/deployments.ts'
import { completedPerDay } from '../sums/tickets.ts'
import { byWeek, frequencyClass } from '../weeks.ts'
import { chosenBy } from './deployments.ts'
import { spansOf, toPeriod, type Scope } from './scope.ts'

const production = /^(prod|production|live)([^a-z0-9]|$)/i

export async function reportVelocity(db: Queryable, scope: Scope): Promise<VelocityReport> {
  const { groupId, period } = scope
  const { current, previous, both } = spansOf(period)
  const end = current.to + reworkMs
  const [columns, blamed, closed, zone, zoneBefore] = await Promise.all([
    readDeployments(db, chosenBy(scope), { from: both.from, to: end }),
    blamedDeployments(db, groupId, both),
    readClosedTickets(db, groupId, both),
    zoneDays(db, current, period.tz),
    zoneDays(db, previous, period.tz),
  ])
  // The keys of DORA are of production, unless an environment is named.
  const isCounted = ({ environment }: Lane): boolean =>
    scope.environment !== undefined || production.test(environment)
  const next = await firstSuccesses(db, groupId, columns.lanes.filter(isCounted), end)
  const [delivery, before] = sumDelivery(columns, [current, previous] as const, { isCounted, blamed, next })
  const days = deploymentsPerDay(columns, current, zone)
  const daysBefore = deploymentsPerDay(columns, previous, zoneBefore)
  const tickets = completedPerDay(closed, current, zone)
  const ticketsBefore = completedPerDay(closed, previous, zoneBefore)
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
