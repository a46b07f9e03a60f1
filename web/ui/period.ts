import { dayAndTimeText, isSameDay, minuteText } from './moment.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const lengths = { '15m': 15 * minute, '1h': hour, '6h': 6 * hour, '24h': day, '7d': 7 * day, '30d': 30 * day }

export type Range = keyof typeof lengths

/** Either a range that ends now, or two points in time, or neither: all events. */
export interface Period {
  range?: Range
  since?: string
  until?: string
}

export const ranges: readonly { id: Range; label: string }[] = [
  { id: '15m', label: 'Last 15 minutes' },
  { id: '1h', label: 'Last hour' },
  { id: '6h', label: 'Last 6 hours' },
  { id: '24h', label: 'Last 24 hours' },
  { id: '7d', label: 'Last 7 days' },
  { id: '30d', label: 'Last 30 days' },
]

export const isRange = (value: unknown): value is Range =>
  typeof value === 'string' && Object.hasOwn(lengths, value)

/** New events belong to the list unless the period has ended. */
export const isOpenEnded = ({ until }: Period): boolean => until === undefined

export interface Span {
  from: number
  to: number
}

/** The limits of the list; without a period there are none. */
export function limitsOf(period: Period, now: number): { since?: string; until?: string } {
  if (period.range !== undefined) return { since: new Date(now - lengths[period.range]).toISOString() }
  return {
    ...(period.since !== undefined && { since: period.since }),
    ...(period.until !== undefined && { until: period.until }),
  }
}

/** As far back as events are counted. */
const countedMs = 365 * day

/** Whether the period says where it begins; all time begins with the oldest event, which nobody knows. */
export const hasStart = ({ range, since }: Period): boolean => range !== undefined || since !== undefined

/** What counts of the period cover. */
export function spanOf({ range, since, until }: Period, now: number): Span {
  const to = until === undefined ? now : Date.parse(until)
  const length = range === undefined ? countedMs : lengths[range]
  const from = since === undefined ? to - length : Date.parse(since)
  return { from: Math.min(from, to - minute), to }
}

/** `16 Nov, 14:00 – 15:30` */
export function spanText({ from, to }: Span): string {
  return `${dayAndTimeText(from)} – ${isSameDay(from, to) ? minuteText(to) : dayAndTimeText(to)}`
}

export function periodText(period: Period): string {
  const named = ranges.find(({ id }) => id === period.range)
  if (named) return named.label
  const [since, until] = [period.since, period.until].map((time) =>
    time === undefined ? undefined : Date.parse(time),
  )
  if (since !== undefined && until !== undefined) return spanText({ from: since, to: until })
  if (since !== undefined) return `Since ${dayAndTimeText(since)}`
  return until === undefined ? 'All time' : `Until ${dayAndTimeText(until)}`
}

export const axisText = (time: number, span: Span): string =>
  span.to - span.from > day ? dayAndTimeText(time) : minuteText(time)
