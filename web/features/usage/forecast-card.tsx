import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { SpendForecast } from '#usage/contract'
import { ChartCard } from '../../ui/chart-card.tsx'
import type { ChartSeries } from '../../ui/chart-series.ts'
import { dayText } from '../../ui/days.ts'
import { exactDollars, shortDollars, sumOf } from '../../ui/money.ts'
import { forecastQuery } from './spend-queries.ts'

/** The same function each time, so that the chart is not redrawn. */
const dollarAxis = (value: number): string => shortDollars(value.toFixed(2)).replace(/\.00$/, '')

/** The spend of this month day by day, added up, and where it will end. */
export function ForecastCard({ groupId }: { groupId: string }) {
  const { data, isPending } = useQuery(forecastQuery(groupId))
  const series = useMemo(() => (data ? seriesOf(data) : []), [data])
  const steps = useMemo(() => data?.days.map(({ date }) => dayText(date)) ?? [], [data])
  if (!isPending && !data) return null
  return (
    <ChartCard
      title="This month"
      description={data ? forecastText(data) : 'Spend so far and a forecast'}
      label="Spend of this month added up by day, with a forecast; the table shows the numbers"
      stepName="Day (UTC)"
      steps={steps}
      height={200}
      isPending={isPending}
      form="lines"
      series={series}
      formatAxis={dollarAxis}
    />
  )
}

function forecastText({ spent, forecast, low, high, days_used: days }: SpendForecast): string {
  const so = `${shortDollars(spent)} so far`
  if (forecast === null || low === null || high === null)
    return `${so}. A forecast needs a whole day of usage in the last four weeks.`
  const range = low === high ? '' : ` (${shortDollars(low)} to ${shortDollars(high)})`
  return `${so}; about ${shortDollars(forecast)} by the end of the month${range}. Each day left is the mean of its weekday over the last ${days === 28 ? 'four weeks' : `${days} days`}.`
}

/** Two lines of sums: what was spent, up to today, and from there what is expected. */
function seriesOf({ days, forecast }: SpendForecast): ChartSeries[] {
  const sums = days.map((_, index) => sumOf(days.slice(0, index + 1).map(({ cost }) => cost)))
  const last = days.findLastIndex((day) => !day.is_forecast)
  const line = (name: string, colour: string, isShown: (index: number) => boolean): ChartSeries => ({
    name,
    colour,
    values: sums.map((sum, index) => (isShown(index) ? Number(sum) : null)),
    texts: sums.map((sum, index) => (isShown(index) ? exactDollars(sum) : '–')),
  })
  return [
    line('Spent', '--series-1', (index) => index <= last),
    ...(forecast === null ? [] : [line('Forecast', '--series-rest', (index) => index >= last)]),
  ]
}
