import type { TicketsReport } from '../contract.ts'
import { countAfterDay, type Span } from '../days/read-days.ts'
import { readTickets, type Tickets } from '../days/tickets.ts'
import { zoneDays } from '../days/zone.ts'
import type { Queryable } from '../queries/query.ts'
import { countOpen, staleTickets } from '../queries/tickets.ts'
import { hoursOf } from '../sums/borders.ts'
import { netIn, sumTickets, ticketsPerDay, ticketsPerHour, type TicketDay } from '../sums/tickets.ts'
import { spansOf, toPeriod, type Scope } from './scope.ts'

const maxStale = 100

export async function reportTickets(
  db: Queryable,
  { groupId, period }: Scope,
  staleDays: number,
): Promise<TicketsReport> {
  const spans = spansOf(period)
  const [flow, stale, zone, zoneBefore] = await Promise.all([
    readFlow(db, groupId, spans, staleDays),
    staleTickets(db, groupId, staleDays, maxStale),
    zoneDays(db, spans.current, period.tz),
    zoneDays(db, spans.previous, period.tz),
  ])
  const sums = sumTickets(flow.tickets, spans.current)
  const perDay = (span: Span, days: typeof zone): TicketDay[] =>
    ticketsPerDay(flow.tickets, span, days, flow.openAtEnd(span))
  const hours = hoursOf(spans.current, period.days)
  return {
    period: toPeriod(period),
    days: period.days,
    ...sums,
    net: sums.created - sums.completed - sums.cancelled,
    open: flow.open,
    per_day: perDay(spans.current, zone),
    per_hour: hours && ticketsPerHour(flow.tickets, spans.current, hours, flow.openAtEnd(spans.current)),
    stale_days: staleDays,
    stale_total: flow.stale,
    stale: stale.map((ticket) => ({
      ...ticket,
      created_at: ticket.created_at.toISOString(),
      last_activity_at: ticket.last_activity_at.toISOString(),
    })),
    previous: {
      ...sumTickets(flow.tickets, spans.previous),
      per_day: perDay(spans.previous, zoneBefore),
    },
  }
}

/** What happened in both periods, how many are open now, and how many were at the end of a span. */
export interface Flow {
  tickets: Tickets
  open: number
  stale: number
  openAtEnd(span: Span): number
}

export async function readFlow(
  db: Queryable,
  groupId: string,
  { both }: ReturnType<typeof spansOf>,
  staleDays: number,
): Promise<Flow> {
  const [tickets, { open, stale }, since] = await Promise.all([
    readTickets(db, groupId, both),
    countOpen(db, groupId, staleDays),
    netAfter(db, groupId, both),
  ])
  return {
    tickets,
    open,
    stale,
    openAtEnd: ({ to }) => open - since - netIn(tickets, { from: to, to: Infinity }),
  }
}

/** Created minus closed after the last day that was read. */
async function netAfter(db: Queryable, groupId: string, { to }: Span): Promise<number> {
  const [created, closed] = await Promise.all([
    countAfterDay(db, 'tickets_created', groupId, to - 1),
    countAfterDay(db, 'tickets_closed', groupId, to - 1),
  ])
  return created - closed
}
