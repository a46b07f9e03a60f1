import { percentile, percentiles } from '../days/percentile.ts'
import type { Span } from '../days/read-days.ts'
import { countBetween, stretches } from '../days/stretches.ts'
import type { ClosedDay, Tickets } from '../days/tickets.ts'
import type { ZoneDay } from '../days/zone.ts'
import { borders } from './borders.ts'
import { averageOf, type Measured } from './measured.ts'

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
  const closed = countIn(tickets.closed, span)
  const completed = completedIn(tickets.closed, span)
  const resolution = measured(tickets.closed, span, 'resolution', completed)
  const cycle = measured(tickets.closed, span, 'cycle', completed)
  const [median = null, p85 = null] = percentiles(resolution.values, 0.5, 0.85)
  return {
    created: countIn(tickets.created, span),
    completed,
    cancelled: closed - completed,
    average_resolution_hours: averageOf(resolution),
    median_resolution_hours: median,
    p85_resolution_hours: p85,
    median_cycle_hours: percentile(cycle.values, 0.5),
  }
}

/** What the summary shows: without the percentiles, which take longer. */
export function ticketHeadlineOf(
  tickets: Tickets,
  span: Span,
): Pick<TicketSums, 'created' | 'completed' | 'average_resolution_hours'> {
  const completed = completedIn(tickets.closed, span)
  return {
    created: countIn(tickets.created, span),
    completed,
    average_resolution_hours: averageOf(measured(tickets.closed, span, 'resolution', completed)),
  }
}

const countIn = (days: Tickets['created'], { from, to }: Span): number => countBetween(days, [from, to])[0]!

const completedIn = (days: readonly ClosedDay[], { from, to }: Span): number =>
  completedBetween(days, [from, to])[0]!

/** Of those that were completed. */
function measured(
  days: readonly ClosedDay[],
  { from, to }: Span,
  column: 'resolution' | 'cycle',
  completed: number,
): Measured {
  const values = new Float64Array(completed)
  let [count, sum] = [0, 0]
  for (const { day, first, last } of stretches(days, [from, to])) {
    const [given, isCompleted] = [day[column], day.isCompleted]
    for (let place = first; place < last; place++) {
      const value = given[place]!
      if (isCompleted[place] === 0 || Number.isNaN(value)) continue
      values[count++] = value
      sum += value
    }
  }
  return { values: values.subarray(0, count), sum }
}

function completedBetween(days: readonly ClosedDay[], times: readonly number[]): number[] {
  const counts = times.slice(1).map(() => 0)
  for (const { step, day, first, last } of stretches(days, times)) {
    const { isCompleted } = day
    let count = 0
    for (let place = first; place < last; place++) count += isCompleted[place]!
    counts[step]! += count
  }
  return counts
}

export interface TicketDay {
  date: string
  created: number
  completed: number
  open: number
}

const bordersOf = (span: Span, days: readonly ZoneDay[]): number[] =>
  borders(
    span,
    days.map(({ start }) => start),
  )

/** How many were completed on each day. */
export function completedPerDay(
  closed: readonly ClosedDay[],
  span: Span,
  days: readonly ZoneDay[],
): Pick<TicketDay, 'date' | 'completed'>[] {
  const completed = completedBetween(closed, bordersOf(span, days))
  return days.map(({ date }, n) => ({ date, completed: completed[n]! }))
}

/** Every day, with how many were open at its end. `openAtEnd`: at the end of the span. */
export function ticketsPerDay(
  tickets: Tickets,
  span: Span,
  days: readonly ZoneDay[],
  openAtEnd: number,
): TicketDay[] {
  const counts = countSteps(tickets, bordersOf(span, days), openAtStart(tickets, span, openAtEnd))
  return days.map(({ date }, n) => ({ date, ...counts[n]! }))
}

export interface TicketHour extends Omit<TicketDay, 'date'> {
  at: string
}

/** Every hour of `starts`, in the same way. */
export function ticketsPerHour(
  tickets: Tickets,
  span: Span,
  starts: readonly number[],
  openAtEnd: number,
): TicketHour[] {
  const counts = countSteps(tickets, borders(span, starts), openAtStart(tickets, span, openAtEnd))
  return starts.map((start, n) => ({ at: new Date(start).toISOString(), ...counts[n]! }))
}

const openAtStart = (tickets: Tickets, span: Span, openAtEnd: number): number =>
  openAtEnd - netIn(tickets, span)

/** Between each two times, with how many were open at the later one. `openBefore`: at the first. */
function countSteps(
  tickets: Tickets,
  times: readonly number[],
  openBefore: number,
): Omit<TicketDay, 'date'>[] {
  const [created, closed] = [countBetween(tickets.created, times), countBetween(tickets.closed, times)]
  const completed = completedBetween(tickets.closed, times)
  let open = openBefore
  return created.map((count, n) => {
    open += count - closed[n]!
    return { created: count, completed: completed[n]!, open }
  })
}

/** Created minus closed. */
export const netIn = ({ created, closed }: Tickets, span: Span): number =>
  countIn(created, span) - countIn(closed, span)
