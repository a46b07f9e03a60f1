import type { DeploymentsReport } from '#analytics/contract'
import type { ChartSeries } from '../../ui/chart-series.ts'
import { dayText } from '../../ui/days.ts'
import { countText } from '../../ui/quantity.ts'

interface Counts {
  succeeded: number
  failed: number
}

const hourText = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })

export const series = (name: string, colour: string, values: readonly (number | null)[]): ChartSeries => ({
  name,
  colour,
  values,
  texts: values.map((value) => (value === null ? '–' : countText(value))),
})

const sums = (counts: readonly Counts[]) => counts.map(({ succeeded, failed }) => succeeded + failed)

/** Hours for short periods, days for others. The period before has days only. */
export function deploymentChart({ per_hour, per_day, previous, days }: DeploymentsReport) {
  const isByHour = per_hour !== null && days <= 1.5
  const counts: readonly Counts[] = isByHour ? per_hour : per_day
  const before = sums(previous.per_day)
  return {
    step: isByHour ? ('hour' as const) : ('day' as const),
    steps: isByHour
      ? per_hour.map(({ at }) => hourText.format(new Date(at)))
      : per_day.map(({ date }) => dayText(date)),
    series: [
      series(
        'Succeeded',
        '--series-3',
        counts.map(({ succeeded }) => succeeded),
      ),
      series(
        'Failed',
        '--series-5',
        counts.map(({ failed }) => failed),
      ),
    ],
    totals: sums(counts).map(countText),
    ghost:
      isByHour || !before.some(Boolean)
        ? undefined
        : series(
            'Previous period',
            '--ink-faint',
            per_day.map((_, index) => before[index] ?? null),
          ),
  }
}
