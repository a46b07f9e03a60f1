import { average, percentile, percentiles } from '../days/percentile.ts'
import type { Span } from '../days/read-days.ts'
import type { Tickets } from '../days/tickets.ts'
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

export function sumTickets(tickets: Tickets, span: Span): TicketSums {
  const closed = placesIn(tickets.closed, span)
  const completed = completedOf(tickets, closed)
  const resolution = knownOf(tickets.resolution, completed)
  const [median = null, p85 = null] = percentiles(resolution, 0.5, 0.85)
  return {
    created: countIn(tickets.created, span),
    completed: completed.length,
    cancelled: closed.length - completed.length,
    average_resolution_hours: average(resolution),
    median_resolution_hours: median,
    p85_resolution_hours: p85,
    median_cycle_hours: percentile(knownOf(tickets.cycle, completed), 0.5),
  }
}

function completedOf({ isCompleted }: Tickets, places: Uint32Array): Uint32Array {
  const completed = new Uint32Array(places.length)
  let count = 0
  for (const place of places) if (isCompleted[place] === 1) completed[count++] = place
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
  const lengthOf = (places: readonly number[], n: number): number => (places[n + 1] ?? 0) - (places[n] ?? 0)
  let open = openAtEnd - countIn(tickets.created, span) + countIn(tickets.closed, span)
  return days.map(({ date }, n) => {
    const came = lengthOf(created, n)
    open += came - lengthOf(closed, n)
    let completed = 0
    for (let place = closed[n] ?? 0; place < (closed[n + 1] ?? 0); place++)
      completed += tickets.isCompleted[place] ?? 0
    return { date, created: came, completed, open }
  })
}

/** How many were open at an earlier time, from those at the end of what was read. */
export function openBefore(tickets: Tickets, open: { at: number; count: number }, at: number): number {
  const span = { from: at, to: open.at }
  return open.count - countIn(tickets.created, span) + countIn(tickets.closed, span)
}
