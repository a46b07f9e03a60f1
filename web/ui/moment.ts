/** Every time on a page, in one time zone: the group's, or the reader's where the group has none. */

const readerZone = Intl.DateTimeFormat().resolvedOptions().timeZone
let zone = readerZone

export const timeZone = (): string => zone

/** Called by the frame before it shows a page of the group. */
export function setTimeZone(name: string | null): void {
  if ((name ?? readerZone) === zone) return
  zone = name ?? readerZone
  formats.clear()
}

const styles = {
  exact: { dateStyle: 'long', timeStyle: 'short' },
  whole: { dateStyle: 'medium', timeStyle: 'medium' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  shortDay: { day: 'numeric', month: 'short' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  dayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  weekdayAndTime: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  minute: { hour: '2-digit', minute: '2-digit' },
  second: { timeStyle: 'medium' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<keyof typeof styles, Intl.DateTimeFormat>()

type Time = string | number

function format(style: keyof typeof styles, time: Time): string {
  const found = formats.get(style) ?? new Intl.DateTimeFormat('en-GB', { ...styles[style], timeZone: zone })
  formats.set(style, found)
  return found.format(new Date(time))
}

/** `16 November 2026 at 14:02` */
export const exactTime = (time: Time): string => format('exact', time)
/** `16 Nov 2026, 14:02:07.123` */
export const wholeTime = (time: Time): string => `${format('whole', time)}.${milliseconds(time)}`
/** `16 Nov 2026` */
export const dayOf = (time: Time): string => format('day', time)
/** `16 Nov` */
export const shortDayText = (time: Time): string => format('shortDay', time)
/** `Monday 16 November 2026` */
export const longDayText = (time: Time): string => format('longDay', time)
/** `16 Nov, 14:02` */
export const dayAndTimeText = (time: Time): string => format('dayAndTime', time)
/** `Mon 14:02` */
export const weekdayAndTimeText = (time: Time): string => format('weekdayAndTime', time)
/** `14:02` */
export const minuteText = (time: Time): string => format('minute', time)
/** `14:02:07` */
export const clockText = (time: Time): string => format('second', time)
/** `14:02:07.123` */
export const millisecondText = (time: Time): string => `${format('second', time)}.${milliseconds(time)}`

const milliseconds = (time: Time): string => String(new Date(time).getUTCMilliseconds()).padStart(3, '0')

export const isSameDay = (one: Time, other: Time): boolean => dayOf(one) === dayOf(other)
export const isToday = (time: Time): boolean => isSameDay(time, Date.now())

const steps = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "3 hours ago", "in 2 days": in the largest unit that fits at least once. */
export function relativeTime(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds)
  return step ? relative.format(Math.trunc(seconds / step.seconds), step.unit) : 'just now'
}
