import type { Span } from '../days/read-days.ts'

/** The times at which steps begin, and the end of the last one; the first begins with the span. */
export const borders = ({ from, to }: Span, starts: readonly number[]): number[] => [
  ...starts.map((start) => Math.max(from, start)),
  to,
]

const hourMs = 3_600_000
/** Periods of at most so many days are also counted by hour. */
const hourlyDays = 3

/** The hours of UTC that the span touches; null where it is too long for hours. */
export function hoursOf({ from, to }: Span, days: number): number[] | null {
  if (days > hourlyDays) return null
  const first = Math.floor(from / hourMs)
  return Array.from({ length: Math.ceil(to / hourMs) - first }, (_, n) => (first + n) * hourMs)
}
