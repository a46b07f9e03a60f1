import type { Window } from './limit-shapes.ts'

/** When a window began and when it ends; null: never. */
export interface Span {
  readonly startsAt: Date
  readonly endsAt: Date | null
}

/** Of limits that have no window, or one that never ends. */
export const always: Span = { startsAt: new Date(0), endsAt: null }

const minuteMs = 60_000

/** The last window of each length in each zone: calendars are slow, and each request asks for the same one. */
const latest = new Map<string, Span>()

/** The window that a moment is in, by the calendar of a time zone. Weeks begin on Monday. */
export function windowAt(window: Window | null, at: Date, timeZone: string): Span {
  if (window === null || window === 'total') return always
  const key = `${window} ${timeZone}`
  const last = latest.get(key)
  if (last?.endsAt && at >= last.startsAt && at < last.endsAt) return last
  const span = calculateWindow(window, at, timeZone)
  latest.set(key, span)
  return span
}

function calculateWindow(window: Exclude<Window, 'total'>, at: Date, timeZone: string): Span {
  if (window === 'minute') {
    const start = Math.floor(at.getTime() / minuteMs) * minuteMs
    return { startsAt: new Date(start), endsAt: new Date(start + minuteMs) }
  }
  const local = localTime(at, timeZone)
  if (window === 'hour') {
    // Where the clock is put back, both hours with the same name are one window each.
    const start = at.getTime() - local.minute * minuteMs - (at.getTime() % minuteMs)
    return { startsAt: new Date(start), endsAt: new Date(start + 60 * minuteMs) }
  }
  const { from, to } = daysOf(window, local)
  return { startsAt: momentOf(from, timeZone), endsAt: momentOf(to, timeZone) }
}

interface LocalTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** Days as midnights in UTC, with which one can calculate. */
function daysOf(
  window: 'day' | 'week' | 'month',
  { year, month, day }: LocalTime,
): { from: number; to: number } {
  if (window === 'month') return { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month, 1) }
  const today = new Date(Date.UTC(year, month - 1, day))
  const sinceMonday = window === 'week' ? (today.getUTCDay() + 6) % 7 : 0
  const length = window === 'week' ? 7 : 1
  const from = Date.UTC(year, month - 1, day - sinceMonday)
  return { from, to: Date.UTC(year, month - 1, day - sinceMonday + length) }
}

const dayMs = 24 * 60 * minuteMs

/** The first moment at which clocks in the zone show this midnight or later. */
function momentOf(midnight: number, timeZone: string): Date {
  const candidates = [midnight - dayMs, midnight + dayMs].map(
    (near) => midnight - offsetAt(new Date(near), timeZone),
  )
  const reached = candidates.filter((at) => at + offsetAt(new Date(at), timeZone) >= midnight)
  return new Date(Math.min(...(reached.length > 0 ? reached : candidates)))
}

/** How far clocks in the zone are ahead of UTC, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(at, timeZone)
  const whole = Math.floor(at.getTime() / 1_000) * 1_000
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localTime(at: Date, timeZone: string): LocalTime {
  let format = formats.get(timeZone)
  if (!format) {
    const shown = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
    const fine = { minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone, ...shown, ...fine })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return parts as unknown as LocalTime
}
