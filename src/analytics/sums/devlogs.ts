import type { Devlogs } from '../days/devlogs.ts'
import type { Span } from '../days/read-days.ts'
import { stretches } from '../days/stretches.ts'
import type { ZoneDay } from '../days/zone.ts'
import { borders } from './borders.ts'

export interface DevlogSums {
  total: number
  human: number
  ai: number
}

export interface DevlogService extends DevlogSums {
  service: string | null
}

const maxServices = 500

/** Those of the span and, if one is given, of the service: all together, then the services with most first. */
export function sumDevlogs(
  devlogs: Devlogs,
  span: Span,
  service: string | undefined,
): [DevlogSums, DevlogService[]] {
  const sums = devlogs.services.map((name) => ({ service: name, total: 0, human: 0, ai: 0 }))
  for (const { day, first, last } of stretches(devlogs.days, [span.from, span.to])) {
    const sumsOf = day.serviceOf.map((place) => sums[place]!)
    const { service: name, isAi } = day
    for (let place = first; place < last; place++) {
      const sum = sumsOf[name[place]!]!
      sum.total++
      sum.ai += isAi[place]!
    }
  }
  const chosen = sums.filter((sum) => service === undefined || sum.service === service)
  for (const sum of chosen) sum.human = sum.total - sum.ai
  const totalOf = (field: keyof DevlogSums): number => chosen.reduce((total, sum) => total + sum[field], 0)
  return [
    { total: totalOf('total'), human: totalOf('human'), ai: totalOf('ai') },
    chosen
      .filter(({ total }) => total > 0)
      .toSorted((one, other) => other.total - one.total || compareNames(one.service, other.service))
      .slice(0, maxServices),
  ]
}

/** Null comes last. */
function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a < b ? -1 : 1
}

export interface DevlogDay {
  date: string
  human: number
  ai: number
}

export interface DevlogHour {
  /** 1 is Monday. */
  weekday: number
  hour: number
  count: number
}

/** Every hour of `starts`, also those without a devlog. */
export function devlogsPerHour(
  devlogs: Devlogs,
  span: Span,
  service: string | undefined,
  starts: readonly number[],
): { at: string; human: number; ai: number }[] {
  const hours = starts.map((start) => ({ at: new Date(start).toISOString(), human: 0, ai: 0 }))
  const isChosen = devlogs.services.map((name) => service === undefined || name === service)
  for (const { step, day, first, last } of stretches(devlogs.days, borders(span, starts))) {
    const [hour, { service: name, isAi, serviceOf }] = [hours[step]!, day]
    for (let place = first; place < last; place++) {
      if (!isChosen[serviceOf[name[place]!]!]) continue
      if (isAi[place]) hour.ai++
      else hour.human++
    }
  }
  return hours
}

export interface DevlogTimes {
  /** Every day, also those without a devlog. */
  days: DevlogDay[]
  /** Only hours with a devlog, by the clock of the zone. */
  hours: DevlogHour[]
}

const hourMs = 3_600_000
const hoursPerWeek = 168
/** 1 January 1970 was a Thursday. */
const hoursBefore1970 = 3 * 24

export function devlogTimes(
  devlogs: Devlogs,
  span: Span,
  service: string | undefined,
  zone: readonly ZoneDay[],
): DevlogTimes {
  const days = zone.map(({ date }) => ({ date, human: 0, ai: 0 }))
  const week = new Uint32Array(hoursPerWeek)
  const isChosen = devlogs.services.map((name) => service === undefined || name === service)
  const starts = zone.map(({ start }) => start)
  for (const { step, day, first, last } of stretches(devlogs.days, borders(span, starts))) {
    const { changesAt, offset, laterOffset } = zone[step]!
    const isChosenOf = day.serviceOf.map((place) => isChosen[place]!)
    const [of, { service: name, isAi, start, times }] = [days[step]!, day]
    for (let place = first; place < last; place++) {
      if (!isChosenOf[name[place]!]) continue
      if (isAi[place]) of.ai++
      else of.human++
      const at = start + times[place]!
      const local = at + (at < changesAt ? offset : laterOffset)
      week[(Math.floor(local / hourMs) + hoursBefore1970) % hoursPerWeek]!++
    }
  }
  const hours = Array.from(week, (count, n) => ({ weekday: Math.floor(n / 24) + 1, hour: n % 24, count }))
  return { days, hours: hours.filter(({ count }) => count > 0) }
}
