import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Daily, UsageFilter } from '#usage/contract'
import { dailyQuery } from '../../api/usage-queries.ts'
import { ChartCard } from '../../ui/chart-card.tsx'
import type { ChartSeries } from '../../ui/chart-series.ts'
import { useChartLinks } from '../../ui/chart-links.tsx'
import { daysAfter, today } from '../../ui/days.ts'
import { Figure, Figures } from '../../ui/figure.tsx'
import { exactDollars, shortDollars, sumOf } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { countText, percentText, shortCount } from '../../ui/quantity.ts'
import { coloursOf } from '../../ui/series-colour.ts'
import { dollarAxis } from './dollar-axis.ts'
import { stepText } from './period.ts'
import { partDaysQuery } from './spend-queries.ts'

/** The part of the usage of a day that is shown. */
type Day = Pick<Daily, 'date' | 'requests' | 'errors' | 'total_tokens' | 'total_cost'>

const lastDays = 30
const spanNow = () => ({ start_date: daysAfter(today(), 1 - lastDays), end_date: today() })

interface SpendProps {
  groupId: string
  /** What was used, for its colour. */
  name: string
}

/** What requests of a filter cost in the last 30 days; nothing where there were none. */
export function SpendOverTime({ groupId, name, filter }: SpendProps & { filter: UsageFilter }) {
  const days = useQuery(dailyQuery(groupId, { ...filter, ...spanNow() }))
  if (days.error) return <FailureNotice error={days.error} onRetry={() => days.refetch()} />
  return <Days name={name} days={days.data} search={{ ...filter }} />
}

interface PartSpendProps extends SpendProps {
  by: 'route' | 'provider_key'
  id: string
  /** Chooses its requests in the logs, where they can be chosen. */
  search?: Record<string, string> | undefined
}

/** The same of a route or of a provider key, which have sums of their own. */
export function PartSpend({ groupId, name, by, id, search }: PartSpendProps) {
  const days = useQuery(partDaysQuery(groupId, { by, id, ...spanNow() }))
  if (days.error) return <FailureNotice error={days.error} onRetry={() => days.refetch()} />
  return <Days name={name} days={days.data} search={search} />
}

interface DaysProps {
  name: string
  days: readonly Day[] | undefined
  search: Record<string, unknown> | undefined
}

const none: readonly Day[] = []

function Days({ name, days = none, search }: DaysProps) {
  const requests = days.reduce((sum, day) => sum + day.requests, 0)
  const { series, steps } = useMemo(() => drawn(name, days), [name, days])
  const dates = useMemo(() => days.map(({ date }) => date), [days])
  const linkOf = useMemo(
    () => (index: number) =>
      search && { to: '/logs', search: { ...search, start_date: dates[index], end_date: dates[index] } },
    [search, dates],
  )
  const { onPick, linkCell } = useChartLinks(linkOf)
  if (requests === 0) return null
  return (
    <div className="space-y-4">
      <Totals days={days} requests={requests} />
      <ChartCard
        title={series[0]?.name ?? ''}
        description={`The last ${lastDays} days, in UTC`}
        label={`${series[0]?.name} per day, the last ${lastDays} days; the table shows the numbers`}
        stepName="Day (UTC)"
        steps={steps}
        series={series}
        form="stack"
        formatAxis={series[0]?.name === 'Spend' ? dollarAxis : shortCount}
        height={180}
        isPending={false}
        {...(search && { onPick, linkCell })}
      />
    </div>
  )
}

/** Without any price there is no spend to draw, only requests. */
function drawn(name: string, days: readonly Day[]): { series: ChartSeries[]; steps: string[] } {
  const hasCost = days.some(({ total_cost }) => total_cost !== null)
  const values = days.map(({ total_cost, requests }) => (hasCost ? Number(total_cost ?? 0) : requests))
  const texts = days.map(({ total_cost, requests }) =>
    hasCost ? exactDollars(total_cost ?? '0') : countText(requests),
  )
  const colour = coloursOf([name]).get(name) ?? '--series-1'
  return {
    series: [{ name: hasCost ? 'Spend' : 'Requests', colour, values, texts }],
    steps: days.map(({ date }) => stepText(Date.parse(date), 'day')),
  }
}

function Totals({ days, requests }: { days: readonly Day[]; requests: number }) {
  const sum = (read: (day: Day) => number) => days.reduce((total, day) => total + read(day), 0)
  const errors = sum((day) => day.errors)
  const tokens = sum((day) => day.total_tokens)
  const costs = days.map(({ total_cost }) => total_cost)
  const cost = costs.some((each) => each !== null) ? sumOf(costs) : null
  return (
    <Figures label="The last 30 days">
      <Figure
        name="Spend"
        value={cost === null ? '–' : shortDollars(cost)}
        title={cost === null ? 'No request had a known price' : exactDollars(cost)}
      />
      <Figure name="Requests" value={shortCount(requests)} title={countText(requests)} />
      <Figure
        name="Error rate"
        value={percentText(errors / requests)}
        title={`${countText(errors)} of ${countText(requests)}`}
      />
      <Figure name="Tokens" value={shortCount(tokens)} title={countText(tokens)} />
    </Figures>
  )
}
