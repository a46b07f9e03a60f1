import type { Period } from './queries/period.ts'
import type { Queryable } from './queries/query.ts'

/** A day or an hour of a period, and which of the steps lie in it: from `first` up to and without `last`. */
export interface Unit {
  /** A date, or the time at which an hour begins. */
  name: string
  first: number
  last: number
}

/**
 * Both periods as one row of steps, so that a query groups its records by one number and converts no time. No step
 * crosses the border of a day or, where hours are counted, of an hour; the last begins where the period ends.
 */
export interface Calendar {
  steps: Date[]
  days: Unit[]
  daysBefore: Unit[]
  /** Null where the period is too long for hours. */
  hours: Unit[] | null
}

const hourMs = 3_600_000
/** Periods of at most this many days are also counted by hour. */
const hourlyDays = 3

export async function readCalendar(db: Queryable, period: Period): Promise<Calendar> {
  const { from, to, previousFrom, previousTo, tz } = period
  const [days, daysBefore] = await Promise.all([
    readDays(db, from, to, tz),
    readDays(db, previousFrom, previousTo, tz),
  ])
  const hours = hoursOf(period)
  const inside = (starts: readonly Start[], first: Date): Date[] =>
    starts.map(({ start }) => start).filter((start) => start > first)
  const steps = sorted([
    ...[...boundsOf(period), ...inside(days, from)],
    ...[...inside(daysBefore, previousFrom), ...inside(hours ?? [], from)],
  ])
  return {
    steps,
    days: unitsOf(days, from, to, steps),
    daysBefore: unitsOf(daysBefore, previousFrom, previousTo, steps),
    hours: hours && unitsOf(hours, from, to, steps),
  }
}

/** The steps of reports that show both periods as a whole. */
export const boundsOf = ({ previousFrom, previousTo, from, to }: Period): Date[] => [
  ...[previousFrom, previousTo, from, to],
]

interface Start {
  name: string
  /** Also before the beginning of a period that begins within it. */
  start: Date
}

/** The days of the clocks of a zone. */
export async function readDays(db: Queryable, from: Date, to: Date, tz: string): Promise<Start[]> {
  const { rows } = await db.query<Start>(
    `select to_char(day, 'YYYY-MM-DD') as name, day at time zone $3 as start
     from generate_series(date_trunc('day', $1::timestamptz at time zone $3),
       ($2::timestamptz at time zone $3) - interval '1 microsecond', interval '1 day') as day`,
    [from, to, tz],
  )
  return rows
}

/** The hours of UTC that the period touches. */
function hoursOf({ from, to, days }: Period): Start[] | null {
  if (days > hourlyDays) return null
  const first = Math.floor(from.getTime() / hourMs)
  return Array.from({ length: Math.ceil(to.getTime() / hourMs) - first }, (_, n) => {
    const start = new Date((first + n) * hourMs)
    return { name: start.toISOString(), start }
  })
}

const sorted = (times: readonly Date[]): Date[] =>
  [...new Set(times.map((time) => time.getTime()))].toSorted((a, b) => a - b).map((time) => new Date(time))

/** A day that the zone left out has no step: it begins when the next one does. */
function unitsOf(starts: readonly Start[], from: Date, to: Date, steps: readonly Date[]): Unit[] {
  const places = new Map(steps.map((step, n) => [step.getTime(), n]))
  const placeOf = (time: Date): number => places.get(Math.max(time.getTime(), from.getTime())) ?? 0
  return starts.map(({ name, start }, n) => ({
    name,
    first: placeOf(start),
    last: placeOf(starts[n + 1]?.start ?? to),
  }))
}

/** What a query counted in a step; steps without a record are left out. */
export type StepCounts<Field extends string> = { step: number } & Record<Field, number>

/** The counts of each unit, also of those without a record. */
export function sumPer<Field extends string>(
  units: readonly Unit[],
  counts: readonly StepCounts<Field>[],
  fields: readonly Field[],
): Record<Field, number>[] {
  const byStep = new Map(counts.map((each) => [each.step, each]))
  return units.map(({ first, last }) => {
    const sums = Object.fromEntries(fields.map((field) => [field, 0])) as Record<Field, number>
    for (let step = first; step < last; step++)
      for (const field of fields) sums[field] += byStep.get(step)?.[field] ?? 0
    return sums
  })
}
