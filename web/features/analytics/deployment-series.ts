import type { DeploymentsReport } from '#analytics/contract'
import type { ChartSeries } from '../../ui/chart-series.ts'
import { countText } from '../../ui/quantity.ts'
import { stepsOf } from './steps.ts'

interface Counts {
  succeeded: number
  failed: number
}

export const series = (name: string, colour: string, values: readonly (number | null)[]): ChartSeries => ({
  name,
  colour,
  values,
  texts: values.map((value) => (value === null ? '–' : countText(value))),
})

const sums = (counts: readonly Counts[]) => counts.map(({ succeeded, failed }) => succeeded + failed)

/** Hours for short periods, days for others. The period before has days only. */
export function deploymentChart(report: DeploymentsReport) {
  const { step, texts, counts } = stepsOf(report)
  const before = sums(report.previous.per_day)
  return {
    step,
    steps: texts,
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
      step === 'hour' || !before.some(Boolean)
        ? undefined
        : series(
            'Previous period',
            '--ink-faint',
            counts.map((_, index) => before[index] ?? null),
          ),
  }
}
