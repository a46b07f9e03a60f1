import { weekdays, type QuietHours } from './contract.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** Quiet hours of whole days follow each other; after a week they never end. */
const maxWindows = 8

/** When what is sent now may be delivered: now, or when the quiet hours end. */
export function endOfQuiet(quiet: QuietHours | null, now: Date, defaultZone: string): Date {
  if (quiet === null) return now
  let at = now
  for (let n = 0; n < maxWindows; n++) {
    const end = endOfWindow(quiet, at, quiet.time_zone ?? defaultZone)
    if (end === undefined) return at
    at = end
  }
  return at
}

/** The end of the window that the time is in; undefined outside of one. */
function endOfWindow({ from, to, days }: QuietHours, at: Date, zone: string): Date | undefined {
  const wall = wallTime(at, zone)
  const midnight = wall - mod(wall, dayMs)
  const [begin, length] = [minutesOf(from) * minuteMs, lengthOf(from, to)]
  // The window may have begun yesterday.
  for (const day of [midnight, midnight - dayMs]) {
    const weekday = weekdays[new Date(day).getUTCDay()]
    const isQuietDay = days === undefined || (weekday !== undefined && days.includes(weekday))
    const end = day + begin + length
    if (isQuietDay && wall >= day + begin && wall < end) return instantOf(end, zone, at)
  }
  return undefined
}

const mod = (n: number, by: number): number => ((n % by) + by) % by

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

const lengthOf = (from: string, to: string): number => {
  const minutes = mod(minutesOf(to) - minutesOf(from), 1_440)
  return (minutes === 0 ? 1_440 : minutes) * minuteMs
}

/** What the clock on the wall shows, as if it were UTC. */
function wallTime(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const get = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'))
}

/** The clock may be set between now and then, so the offset is that of the end. Never in the past. */
function instantOf(wall: number, zone: string, after: Date): Date {
  let instant = wall
  for (let n = 0; n < 2; n++) instant += wall - wallTime(new Date(instant), zone)
  return new Date(instant > after.getTime() ? instant : after.getTime() + minuteMs)
}
