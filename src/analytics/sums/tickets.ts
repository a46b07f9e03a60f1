import { average, percentile, percentiles } from '../days/percentile.ts'
import type { Span } from '../days/read-days.ts'
import type { ClosedTickets, Tickets } from '../days/tickets.ts'
import type { ZoneDay } from '../days/zone.ts'
import { borders, knownOf, placesIn, placesOf } from './deployments.ts'

export interface TicketSums {
  created: number
  completed: number
  cancelled: number
  average_resolution_hours: number | null
  median_resolution_hours: number | null
  p85_resolution_hours: number | null
  median_cycle_hours: number | null
}

export type TicketCounts = Pick<
  TicketSums,
  'created' | 'completed' | 'cancelled' | 'average_resolution_hours'
>

/** Without the percentiles, which take longer. */
export const countTickets = (tickets: Tickets, span: Span): TicketCounts =>
  countsOf(tickets, span, closedIn(tickets, span))

export function sumTickets(tickets: Tickets, span: Span): TicketSums {
  const closed = closedIn(tickets, span)
  const counts = countsOf(tickets, span, closed)
  const [median = null, p85 = null] = percentiles(closed.resolution, 0.5, 0.85)
  return {
    ...counts,
    median_resolution_hours: median,
    p85_resolution_hours: p85,
    median_cycle_hours: percentile(knownOf(tickets.cycle, closed.completed), 0.5),
  }
}

interface Closed {
  completed: Uint32Array
  cancelled: number
  /** Hours of those that were completed. */
  resolution: Float64Array
}

function closedIn(tickets: Tickets, span: Span): Closed {
  const places = placesIn(tickets.closed, span)
  const completed = completedOf(tickets, places)
  const resolution = knownOf(tickets.resolution, completed)
  return { completed, cancelled: places.length - completed.length, resolution }
}

const countsOf = (
  tickets: Tickets,
  span: Span,
  { completed, cancelled, resolution }: Closed,
): TicketCounts => ({
  created: countIn(tickets.created, span),
  completed: completed.length,
  cancelled,
  average_resolution_hours: average(resolution),
})

function completedOf({ isCompleted }: ClosedTickets, places: Uint32Array): Uint32Array {
  const completed = new Uint32Array(places.length)
  let count = 0
  for (let n = 0; n < places.length; n++) if (isCompleted[places[n]!] === 1) completed[count++] = places[n]!
  return completed.subarray(0, count)
}

function countIn(at: Float64Array, { from, to }: Span): number {
  const [first = 0, last = 0] = placesOf(at, [from, to])
  return Math.max(0, last - first)
}

export interface TicketDay {
  date: string
  created: number
  completed: number
  open: number
}

/** How many were completed on each day. */
export function completedPerDay(
  tickets: ClosedTickets,
  span: Span,
  days: readonly ZoneDay[],
): Pick<TicketDay, 'date' | 'completed'>[] {
  const places = placesOf(
    tickets.closed,
    borders(
      span,
      days.map(({ start }) => start),
    ),
  )
  return days.map(({ date }, n) => {
    let completed = 0
    for (let place = places[n]!; place < places[n + 1]!; place++) completed += tickets.isCompleted[place]!
    return { date, completed }
  })
}

/** Every day, with how many were open at its end. `openAtEnd`: at the end of the span. */
export function ticketsPerDay(
  tickets: Tickets,
  span: Span,
  days: readonly ZoneDay[],
  openAtEnd: number,
): TicketDay[] {
  const times = borders(
    span,
    days.map(({ start }) => start),
  )
  const [created, closed] = [placesOf(tickets.created, times), placesOf(tickets.closed, times)]
  const completed = completedPerDay(tickets, span, days)
  const lengthOf = (places: readonly number[], n: number): number => (places[n + 1] ?? 0) - (places[n] ?? 0)
  let open = openAtEnd - countIn(tickets.created, span) + countIn(tickets.closed, span)
  return days.map(({ date }, n) => {
    const came = lengthOf(created, n)
    open += came - lengthOf(closed, n)
    return { date, created: came, completed: completed[n]?.completed ?? 0, open }
  })
}

/** How many were open at an earlier time, from those at the end of what was read. */
export function openBefore(tickets: Tickets, open: { at: number; count: number }, at: number): number {
  const span = { from: at, to: open.at }
  return open.count - countIn(tickets.created, span) + countIn(tickets.closed, span)
}
