/** Days as `YYYY-MM-DD`, counted in UTC as the server counts them. */

const length = 86_400_000

export const today = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10)
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const daysAfter = (day: string, count: number): string => today(startOf(day) + count * length)
/** The number of days from first to last, both included. */
export const daysBetween = (first: string, last: string): number =>
  Math.round((startOf(last) - startOf(first)) / length) + 1

export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(startOf(text)) &&
  today(startOf(text)) === text

const inYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `15 Nov`, with the year if it is not the current one. */
export const dayText = (day: string, now = Date.now()): string =>
  (day.slice(0, 4) === today(now).slice(0, 4) ? inYear : full).format(startOf(day))

/** `9 – 15 Nov`, `28 Oct – 3 Nov`, or one day. */
export function daysText(first: string, last: string, now = Date.now()): string {
  if (first === last) return dayText(first, now)
  const start = first.slice(0, 7) === last.slice(0, 7) ? String(Number(first.slice(8))) : dayText(first, now)
  return `${start} – ${dayText(last, now)}`
}
