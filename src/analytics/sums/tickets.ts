import { average, percentile } from '../days/percentile.ts'
import type { Span } from '../days/read-days.ts'
import type { Tickets } from '../days/tickets.ts'
import { createFinder, type ZoneDay } from '../days/zone.ts'
import { knownOf, placesIn } from './deployments.ts'

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
  const completed = closed.filter((place) => tickets.isCompleted[place] === 1)
  const resolution = knownOf(tickets.resolution, completed)
  return {
    created: placesIn(tickets.created, span).length,
    completed: completed.length,
    cancelled: closed.length - completed.length,
    average_resolution_hours: average(resolution),
    median_resolution_hours: percentile(resolution, 0.5),
    p85_resolution_hours: percentile(resolution, 0.85),
    median_cycle_hours: percentile(knownOf(tickets.cycle, completed), 0.5),
  }
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
  const counted = days.map(({ date }) => ({ date, created: 0, completed: 0, closed: 0 }))
  const dayOf = [createFinder(days), createFinder(days)] as const
  const created = placesIn(tickets.created, span)
  const closed = placesIn(tickets.closed, span)
  for (const place of created) {
    const day = counted[dayOf[0](tickets.created[place] ?? 0)]
    if (day) day.created++
  }
  for (const place of closed) {
    const day = counted[dayOf[1](tickets.closed[place] ?? 0)]
    if (!day) continue
    day.closed++
    day.completed += tickets.isCompleted[place] ?? 0
  }
  let open = openAtEnd - created.length + closed.length
  return counted.map(({ date, created: came, completed, closed: went }) => {
    open += came - went
    return { date, created: came, completed, open }
  })
}

/** How many were open at an earlier time, from those at the end of what was read. */
export function openBefore(tickets: Tickets, open: { at: number; count: number }, at: number): number {
  const span = { from: at, to: open.at }
  return open.count - placesIn(tickets.created, span).length + placesIn(tickets.closed, span).length
}
