import type { Span } from '../days/read-days.ts'

/** The times at which steps begin, and the end of the last one; the first begins with the span. */
export const borders = ({ from, to }: Span, starts: readonly number[]): number[] => [
  ...starts.map((start) => Math.max(from, start)),
  to,
]
