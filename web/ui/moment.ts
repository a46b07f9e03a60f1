const steps = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** The reader's time zone, by its name. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** "3 hours ago", "in 2 days": in the largest unit that fits at least once. */
export function relativeTime(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds)
  return step ? relative.format(Math.trunc(seconds / step.seconds), step.unit) : 'just now'
}

/** `16 Nov 2026, 14:02:07.123` in the reader's time zone. */
export function wholeTime(time: string): string {
  const at = new Date(time)
  return `${whole.format(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

export const exactTime = (time: string): string => exact.format(new Date(time))
export const dayOf = (time: string): string => day.format(new Date(time))
