import type { Devlogs } from '../days/devlogs.ts'
import type { Span } from '../days/read-days.ts'
import { createFinder, type ZoneDay } from '../days/zone.ts'
import { placesIn } from './deployments.ts'

export interface DevlogSums {
  total: number
  human: number
  ai: number
}

export interface DevlogService extends DevlogSums {
  service: string | null
}

const maxServices = 500

/** Those of the span and, if one is given, of the service. */
export function chooseDevlogs(devlogs: Devlogs, span: Span, service: string | undefined): Uint32Array {
  const places = placesIn(devlogs.at, span)
  if (service === undefined) return places
  const wanted = devlogs.services.indexOf(service)
  return places.filter((place) => devlogs.service[place] === wanted)
}

export function sumDevlogs(devlogs: Devlogs, places: Uint32Array): DevlogSums {
  let ai = 0
  for (let n = 0; n < places.length; n++) ai += devlogs.isAi[places[n]!]!
  return { total: places.length, human: places.length - ai, ai }
}

/** The services with most devlogs first. */
export function devlogsPerService(devlogs: Devlogs, places: Uint32Array): DevlogService[] {
  const sums = devlogs.services.map((service) => ({ service, total: 0, human: 0, ai: 0 }))
  for (let n = 0; n < places.length; n++) {
    const place = places[n]!
    const sum = sums[devlogs.service[place]!]!
    sum.total++
    if (devlogs.isAi[place]) sum.ai++
    else sum.human++
  }
  return sums
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total || compareNames(a.service, b.service))
    .slice(0, maxServices)
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

export function devlogTimes(devlogs: Devlogs, places: Uint32Array, zone: readonly ZoneDay[]): DevlogTimes {
  const days = zone.map(({ date }) => ({ date, human: 0, ai: 0 }))
  const week = new Uint32Array(hoursPerWeek)
  const dayOf = createFinder(zone)
  for (let each = 0; each < places.length; each++) {
    const place = places[each]!
    const at = devlogs.at[place]!
    const n = dayOf(at)
    const day = days[n]
    const clock = zone[n]
    if (!day || !clock) continue
    if (devlogs.isAi[place]) day.ai++
    else day.human++
    const local = at + (at < clock.changesAt ? clock.offset : clock.laterOffset)
    const hour = (Math.floor(local / hourMs) + hoursBefore1970) % hoursPerWeek
    week[hour] = (week[hour] ?? 0) + 1
  }
  const hours = Array.from(week, (count, n) => ({ weekday: Math.floor(n / 24) + 1, hour: n % 24, count }))
  return { days, hours: hours.filter(({ count }) => count > 0) }
}
