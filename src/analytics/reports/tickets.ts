import { readCalendar, sumPer, type Unit } from '../calendar.ts'
import type { TicketsReport } from '../contract.ts'
import type { Queryable } from '../queries/query.ts'
import {
  countOpen,
  countTickets,
  staleTickets,
  type TicketCounts,
  type TicketSteps,
} from '../queries/tickets.ts'
import { toPeriod, type Scope } from '../scope.ts'

const maxStale = 100

export async function reportTickets(
  db: Queryable,
  { groupId, period }: Scope,
  staleDays: number,
): Promise<TicketsReport> {
  const calendar = await readCalendar(db, period)
  const [counts, { open, stale: staleTotal }, stale] = await Promise.all([
    countTickets(db, groupId, period, calendar.steps),
    countOpen(db, groupId, staleDays),
    staleTickets(db, groupId, staleDays, maxStale),
  ])
  const { days, daysBefore, hours } = calendar
  const sums = sumsOf(counts, days, true)
  const perDay = (units: readonly Unit[]) =>
    withOpen(units, counts.steps, open).map((each, n) => ({ date: units[n]?.name ?? '', ...each }))
  return {
    period: toPeriod(period),
    days: period.days,
    ...sums,
    net: sums.created - sums.completed - sums.cancelled,
    open,
    per_day: perDay(days),
    per_hour:
      hours && withOpen(hours, counts.steps, open).map((each, n) => ({ at: hours[n]?.name ?? '', ...each })),
    stale_days: staleDays,
    stale_total: staleTotal,
    stale: stale.map((ticket) => ({
      ...ticket,
      created_at: ticket.created_at.toISOString(),
      last_activity_at: ticket.last_activity_at.toISOString(),
    })),
    previous: { ...sumsOf(counts, daysBefore, false), per_day: perDay(daysBefore) },
  }
}

export function sumsOf({ sums, steps }: TicketCounts, units: readonly Unit[], isCurrent: boolean) {
  const { created, completed, closed } = total(units, steps)
  const times = sums.find(({ is_current }) => is_current === isCurrent)
  return {
    created,
    completed,
    cancelled: closed - completed,
    average_resolution_hours: times?.average_resolution_hours ?? null,
    median_resolution_hours: times?.resolution_hours?.[0] ?? null,
    p85_resolution_hours: times?.resolution_hours?.[1] ?? null,
    median_cycle_hours: times?.median_cycle_hours ?? null,
  }
}

/** Each unit with the number of tickets open at its end: those that are open now, without what changed since. */
export function withOpen(units: readonly Unit[], steps: readonly TicketSteps[], openNow: number) {
  const since = total([{ name: '', first: units[0]?.first ?? 0, last: Infinity }], steps)
  let open = openNow - since.created + since.closed
  return sumPer(units, steps, ['created', 'completed', 'closed']).map(({ created, completed, closed }) => {
    open += created - closed
    return { created, completed, open }
  })
}

function total(units: readonly Unit[], steps: readonly TicketSteps[]) {
  const isInside = (step: number): boolean => units.some(({ first, last }) => step >= first && step < last)
  const sum = (field: 'created' | 'completed' | 'closed'): number =>
    steps.reduce((before, each) => before + (isInside(each.step) ? each[field] : 0), 0)
  return { created: sum('created'), completed: sum('completed'), closed: sum('closed') }
}
