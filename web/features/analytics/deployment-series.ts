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

export const isByHour = ({ per_hour, days }: DeploymentsReport): boolean => per_hour !== null && days <= 1.5

/** Hours for short periods, days for others. The period before has days only. */
export function deploymentChart(report: DeploymentsReport) {
  const { per_day, previous } = report
  const hours = isByHour(report) ? report.per_hour : null
  const counts: readonly Counts[] = hours ?? per_day
  const before = sums(previous.per_day)
  return {
    step: hours ? ('hour' as const) : ('day' as const),
    steps: hours
      ? hours.map(({ at }) => hourText.format(new Date(at)))
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
      hours || !before.some(Boolean)
        ? undefined
        : series(
            'Previous period',
            '--ink-faint',
            per_day.map((_, index) => before[index] ?? null),
          ),
  }
}
