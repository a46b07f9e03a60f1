import type { HealthRollup } from '#records/contract'
import type { ChartSeries } from '../../../ui/chart-series.ts'
import { dayAndTimeText, minuteText, shortDayText } from '../../../ui/moment.ts'
import { durationText } from '../../../ui/quantity.ts'
import { stepLengths } from './beats.ts'

/** A line has a hole where nothing was measured. */
export function latencySeries(
  rollups: readonly HealthRollup[],
  resolution: keyof typeof stepLengths,
  count: number,
  now: number,
): { steps: string[]; series: ChartSeries[] } {
  const length = stepLengths[resolution]
  const found = new Map(rollups.map((rollup) => [Date.parse(rollup.at), rollup]))
  const last = Math.floor(now / length) * length
  const times = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * length)
  const timeText = resolution === 'day' ? shortDayText : count > 24 ? dayAndTimeText : minuteText
  const line = (name: string, colour: string, read: (rollup: HealthRollup) => number | null): ChartSeries => {
    const values = times.map((time) => {
      const rollup = found.get(time)
      return rollup ? read(rollup) : null
    })
    return {
      name,
      colour,
      values,
      texts: values.map((value) => (value === null ? '–' : durationText(value))),
    }
  }
  return {
    steps: times.map((time) => timeText(time)),
    series: [
      line('Average', '--series-1', ({ average_latency_ms }) => average_latency_ms),
      line('Slowest', '--series-2', ({ max_latency_ms }) => max_latency_ms),
    ],
  }
}
