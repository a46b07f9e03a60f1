import type { ComponentProps } from 'react'
import { ChartCard } from '../../ui/chart-card.tsx'
import type { ChartSeries } from '../../ui/chart-series.ts'
import { shortCount } from '../../ui/quantity.ts'

type ChartCardProps = ComponentProps<typeof ChartCard>

interface CountsChartProps extends Omit<
  ChartCardProps,
  'form' | 'steps' | 'series' | 'totals' | 'ghost' | 'formatAxis'
> {
  /** Stacked unless told otherwise. */
  form?: ChartCardProps['form']
  /** Undefined while the report is loading. */
  chart: CountedChart | undefined
}

interface CountedChart {
  steps: readonly string[]
  series: readonly ChartSeries[]
  totals?: readonly string[]
  /** The period before. */
  ghost: ChartSeries | undefined
}

/** How many records there were over time. */
export function CountsChart({ chart, form = 'stack', ...card }: CountsChartProps) {
  return (
    <ChartCard
      {...card}
      form={form}
      steps={chart?.steps ?? []}
      series={chart?.series ?? []}
      totals={chart?.totals}
      ghost={chart?.ghost}
      formatAxis={wholeAxis}
    />
  )
}

/** There are no half records. */
export const wholeAxis = (value: number): string => (Number.isInteger(value) ? shortCount(value) : '')
