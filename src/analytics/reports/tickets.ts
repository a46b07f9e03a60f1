import type { TicketsReport } from '../contract.ts'
import { countAfterDay, type Span } from '../days/read-days.ts'
import { readTickets, type Tickets } from '../days/tickets.ts'
import { zoneDays } from '../days/zone.ts'
import type { Period } from '../queries/period.ts'
import type { Queryable } from '../queries/query.ts'
import { countOpen, staleTickets } from '../queries/tickets.ts'
import { placesIn } from '../sums/deployments.ts'
import { openBefore, sumTickets, ticketsPerDay, type TicketCounts, type TicketDay } from '../sums/tickets.ts'
import { spansOf, toPeriod, type Scope } from './scope.ts'

const maxStale = 100

export async function reportTickets(
  db: Queryable,
  { groupId, period }: Scope,
  staleDays: number,
): Promise<TicketsReport> {
  const [flow, stale] = await Promise.all([
    readFlow(db, groupId, period, staleDays, sumTickets),
    staleTickets(db, groupId, staleDays, maxStale),
  ])
  const { sums } = flow.current
  return {
    period: toPeriod(period),
    days: period.days,
    ...sums,
    net: sums.created - sums.completed - sums.cancelled,
    open: flow.open,
    per_day: flow.current.days,
    stale_days: staleDays,
    stale_total: flow.stale,
    stale: stale.map((ticket) => ({
      ...ticket,
      created_at: ticket.created_at.toISOString(),
      last_activity_at: ticket.last_activity_at.toISOString(),
    })),
    previous: { ...flow.previous.sums, per_day: flow.previous.days },
  }
}

/** What happened in a period, and how many were open at its end. */
interface Flow<Sums> {
  sums: Sums
  days: TicketDay[]
  openAtEnd: number
}

export async function readFlow<Sums extends TicketCounts>(
  db: Queryable,
  groupId: string,
  period: Period,
  staleDays: number,
  sum: (tickets: Tickets, span: Span) => Sums,
): Promise<{ current: Flow<Sums>; previous: Flow<Sums>; open: number; stale: number }> {
  const { current, previous, both } = spansOf(period)
  const [tickets, zone, zoneBefore, { open, stale }, since] = await Promise.all([
    readTickets(db, groupId, both),
    zoneDays(db, current, period.tz),
    zoneDays(db, previous, period.tz),
    countOpen(db, groupId, staleDays),
    netAfter(db, groupId, both),
  ])
  const rest = { from: both.to, to: Infinity }
  const openAtEnd =
    open - since - placesIn(tickets.created, rest).length + placesIn(tickets.closed, rest).length
  const flowOf = (span: Span, days: typeof zone): Flow<Sums> => {
    const openThen = openBefore(tickets, { at: both.to, count: openAtEnd }, span.to)
    return {
      sums: sum(tickets, span),
      days: ticketsPerDay(tickets, span, days, openThen),
      openAtEnd: openThen,
    }
  }
  return { current: flowOf(current, zone), previous: flowOf(previous, zoneBefore), open, stale }
}

/** Created minus closed after the last day that was read. */
async function netAfter(db: Queryable, groupId: string, { to }: Span): Promise<number> {
  const [created, closed] = await Promise.all([
    countAfterDay(db, 'tickets_created', groupId, to - 1),
    countAfterDay(db, 'tickets_closed', groupId, to - 1),
  ])
  return created - closed
}
