import { useMemo } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChartNoAxesColumn, FilterX, Scale, ScrollText, Tag } from 'lucide-react'
import type { UsageFilter } from '#usage/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ChartCard } from '../../ui/chart-card.tsx'
import { useChartLinks } from '../../ui/chart-links.tsx'
import { DateRangePicker } from '../../ui/date-range.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { shortCount } from '../../ui/quantity.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { FilterSelects } from '../../ui/usage-filter-selects.tsx'
import { dollarAxis } from './dollar-axis.ts'
import { Headline } from './headline.tsx'
import { inSpan, periodOf, spanText, stepText, type Period } from './period.ts'
import { Shares } from './shares.tsx'
import { ForecastCard } from './forecast-card.tsx'
import { SpendSection } from './spend-section.tsx'
import { readUsageAddress, type Range, type UsageAddress } from './usage-address.ts'
import { useUsage } from './use-usage.ts'

const route = getRouteApi('/shell/usage')

export const UsagePage = inGroup(Usage)

/** The same object while the search parameters stay the same, so that charts are not redrawn. */
function usePeriod(search: UsageAddress): { filter: UsageFilter; period: Period } {
  const key = JSON.stringify(search)
  return useMemo(() => {
    const {
      range: _,
      start_date: _first,
      end_date: _last,
      by: _by,
      ...filter
    } = readUsageAddress(JSON.parse(key))
    return { filter, period: periodOf(readUsageAddress(JSON.parse(key)), Date.now()) }
  }, [key])
}

function Usage({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { filter, period } = usePeriod(search)
  const showBy = (by: string) =>
    void navigate({ search: readUsageAddress({ ...search, by }), resetScroll: false, replace: true })
  const usage = useUsage(group.id, filter, period)
  const { sums, sumsBefore } = usage
  return (
    <Page
      title="Usage"
      description="Spend, requests and tokens over time, who caused them, and why they changed. Times are in UTC."
      actions={
        <>
          <Link to="/usage/statement" className={buttonClass()}>
            <Scale aria-hidden className="size-4" /> Statement
          </Link>
          <Link to="/usage/prices" className={buttonClass()}>
            <Tag aria-hidden className="size-4" /> Manage prices
          </Link>
        </>
      }
    >
      <div className="space-y-4">
        <PeriodBar groupId={group.id} filter={filter} period={period} />
        {sums.error && <FailureNotice error={sums.error} onRetry={() => sums.refetch()} />}
        <Headline sums={sums.data} before={sumsBefore.data} filter={inSpan(filter, period)} />
        <p className="text-xs text-ink-faint">
          {spanText(period)}, compared with {spanText(period.before)}
        </p>
        {sums.data?.requests === 0 && sumsBefore.data?.requests === 0 ? (
          <NothingYet isFiltered={Object.keys(filter).length > 0} />
        ) : (
          <>
            <Charts usage={usage} filter={filter} period={period} />
            <Shares groupId={group.id} filter={inSpan(filter, period)} />
            <SpendSection groupId={group.id} filter={filter} period={period} by={search.by} onBy={showBy} />
            <ForecastCard groupId={group.id} />
          </>
        )}
      </div>
    </Page>
  )
}

const chartHeight = 240

interface ChartsProps {
  usage: ReturnType<typeof useUsage>
  filter: UsageFilter
  period: Period
}

function Charts({ usage, filter, period }: ChartsProps) {
  const steps = useMemo(
    () => usage.steps.map((moment) => stepText(moment, period.step)),
    [usage.steps, period.step],
  )
  const stepName = period.step === 'hour' ? 'Hour (UTC)' : 'Day (UTC)'
  const each = period.step === 'hour' ? 'per hour' : 'per day'
  const linkOf = useMemo(
    () => (index: number) => {
      const from = usage.steps[index] ?? 0
      const since = new Date(from).toISOString()
      const until = new Date(from + (period.step === 'hour' ? 3_600_000 : 86_400_000)).toISOString()
      return { to: '/logs', search: { ...filter, since, until } }
    },
    [usage.steps, filter, period.step],
  )
  const links = useChartLinks(linkOf)
  // A chart of zeros says nothing, and so does a line of them.
  const hadSpend = usage.spendBefore.values.some(Boolean)
  const hasSpend = hadSpend || usage.spend.some(({ values }) => values.some(Boolean))
  const shared = { steps, stepName, height: chartHeight, isPending: usage.isPending, ...links }
  return (
    <>
      {(usage.isPending || hasSpend) && (
        <ChartCard
          {...shared}
          title="Spend"
          description={`Dollars ${each}, by model`}
          label={`Spend ${each}, ${spanText(period)}; the table shows the numbers`}
          form="stack"
          series={usage.spend}
          totals={usage.totals}
          ghost={hadSpend ? usage.spendBefore : undefined}
          formatAxis={dollarAxis}
        />
      )}
      <ChartCard
        {...shared}
        title="Tokens"
        description={`Input, output and cached, ${each}`}
        label={`Tokens ${each}, ${spanText(period)}; the table shows the numbers`}
        form="lines"
        series={usage.tokens}
        formatAxis={shortCount}
      />
    </>
  )
}

interface PeriodBarProps {
  groupId: string
  filter: UsageFilter
  period: Period
}

function PeriodBar({ groupId, filter, period }: PeriodBarProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: readUsageAddress({ ...search, ...part }), resetScroll: false })
  const isCustom = search.start_date !== undefined
  return (
    <div
      role="search"
      aria-label="Period and filter"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <Segmented<Range | 'custom'>
        label="Period"
        value={isCustom ? 'custom' : (search.range ?? 'week')}
        onChange={(range) => show({ range, start_date: undefined, end_date: undefined })}
        choices={[
          { id: 'day', label: 'Day' },
          { id: 'week', label: 'Week' },
          { id: 'month', label: 'Month' },
        ]}
      />
      <DateRangePicker
        value={period}
        onChange={({ start_date, end_date }) => show({ start_date, end_date })}
        placeholder="Choose dates"
        presets={[]}
        className="w-full sm:w-50"
      />
      <FilterSelects groupId={groupId} filter={inSpan(filter, period)} onChange={show} />
      {Object.keys(filter).length > 0 && (
        <Button
          look="quiet"
          icon={FilterX}
          onClick={() => show({ model: undefined, provider: undefined, api_key_id: undefined })}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

function NothingYet({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={isFiltered ? 'No matching requests' : 'No requests in this period'}
      action={
        <Link to="/logs" className={buttonClass('primary')}>
          <ScrollText aria-hidden className="size-4" /> Open logs
        </Link>
      }
    >
      {isFiltered
        ? 'No request in this period or the previous one matches all of these filters. Remove a filter or choose a longer period.'
        : 'Spend and tokens appear here after the first request. The logs page shows how to send one.'}
    </EmptyState>
  )
}
