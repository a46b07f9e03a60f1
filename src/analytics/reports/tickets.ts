import type { TicketsReport } from '../contract.ts'
import type { Queryable } from '../queries/query.ts'
import { countOpen, staleTickets, sumTickets, ticketsPerDay } from '../queries/tickets.ts'
import { currentOf, previousOf, toPeriod, type Scope } from './scope.ts'

const maxStale = 100

export async function reportTickets(
  db: Queryable,
  { groupId, period }: Scope,
  staleDays: number,
): Promise<TicketsReport> {
  const [current, previous] = [currentOf(period), previousOf(period)]
  const [sums, days, sumsBefore, daysBefore, open, stale] = await Promise.all([
    sumTickets(db, groupId, current),
    ticketsPerDay(db, groupId, current),
    sumTickets(db, groupId, previous),
    ticketsPerDay(db, groupId, previous),
    countOpen(db, groupId, staleDays),
    staleTickets(db, groupId, staleDays, maxStale),
  ])
  return {
    period: toPeriod(period),
    days: period.days,
    ...sums,
    net: sums.created - sums.completed - sums.cancelled,
    open: open.open,
    per_day: days,
    stale_days: staleDays,
    stale_total: open.stale,
    stale: stale.map((ticket) => ({
      ...ticket,
      created_at: ticket.created_at.toISOString(),
      last_activity_at: ticket.last_activity_at.toISOString(),
    })),
    previous: { ...sumsBefore, per_day: daysBefore },
  }
}
