import { offsetAt } from '../../ui/input-time.ts'
import type { Span } from '../../ui/period.ts'

const minute = 60_000
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map((step) => step * minute)

export interface Bar extends Span {
  count: number
  errors: number
}

interface Point {
  at: string
  count: number
  errors: number
}

/** The smallest round step with which at most `maxBars` cover the span. */
export const stepOf = ({ from, to }: Span, maxBars: number): number =>
  steps.find((step) => (to - from) / step <= maxBars) ?? (steps.at(-1) as number)

/** One bar per step, also where nothing happened. Steps begin at full hours and days of the page's time zone. */
export function barsOf(timeline: readonly Point[], span: Span, maxBars: number): Bar[] {
  const step = stepOf(span, maxBars)
  const offset = offsetAt(span.from)
  const first = Math.floor((span.from + offset) / step) * step - offset
  const bars = Array.from({ length: Math.max(1, Math.ceil((span.to - first) / step)) }, (_, index) => ({
    from: first + index * step,
    to: first + (index + 1) * step,
    count: 0,
    errors: 0,
  }))
  for (const { at, count, errors } of timeline) {
    const bar = bars[Math.floor((Date.parse(at) - first) / step)]
    if (!bar) continue
    bar.count += count
    bar.errors += errors
  }
  return bars
}

/** The period of the bars between two points, in either direction. A drag to the present stays open. */
export function zoomOf(
  bars: readonly Bar[],
  one: number,
  other: number,
  now: number,
): { since: string; until?: string } | null {
  const [low, high] = one < other ? [one, other] : [other, one]
  const [first, last] = [bars[Math.max(0, low)], bars[Math.min(bars.length - 1, high)]]
  if (!first || !last) return null
  return {
    since: new Date(first.from).toISOString(),
    ...(last.to < now && { until: new Date(last.to).toISOString() }),
  }
}

/** About `count` bars that carry a label, evenly spaced. */
export function labelledBars(bars: readonly Bar[], count: number): Bar[] {
  const every = Math.max(1, Math.ceil(bars.length / count))
  return bars.filter((_, index) => index % every === 0)
}
