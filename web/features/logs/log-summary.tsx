import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogFilter, UsagePercentiles, UsageSums } from '#usage/contract'
import { Figure, Figures } from '../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { countText, counted, durationText, percentText, shortCount } from '../../ui/quantity.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { sumsQuery } from '../../api/usage-queries.ts'
import { percentilesQuery } from './log-queries.ts'

interface LogSummaryProps {
  groupId: string
  filter: LogFilter
  isLive: boolean
}

/** Totals over all matching requests, not only the loaded ones. */
export function LogSummary({ groupId, filter, isLive }: LogSummaryProps) {
  const refetchInterval = isLive ? 5000 : (false as const)
  const { data, error, refetch } = useQuery({ ...sumsQuery(groupId, filter), refetchInterval })
  const percentiles = useQuery({ ...percentilesQuery(groupId, filter), refetchInterval }).data
  const isNarrow = useNarrow()
  if (error && !data) return <FailureNotice error={error} onRetry={() => refetch()} />
  return isNarrow ? (
    <SummaryLine sums={data} percentiles={percentiles} />
  ) : (
    <SummaryFigures sums={data} percentiles={percentiles} />
  )
}

interface SummaryProps {
  sums: UsageSums | undefined
  percentiles: UsagePercentiles | undefined
}

const costOf = ({ total_cost: cost }: UsageSums): string => (cost === null ? '–' : shortDollars(cost))
const timeOf = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : durationText(milliseconds)

function SummaryFigures({ sums, percentiles }: SummaryProps) {
  const cost = sums?.total_cost ?? null
  return (
    <Figures label="Summary of these requests">
      <Figure
        name="Cost"
        value={sums && costOf(sums)}
        title={cost === null ? undefined : exactDollars(cost)}
        note={sums && <Unpriced count={sums.unpriced_requests} />}
      />
      <Figure
        name="Requests"
        value={sums && shortCount(sums.requests)}
        title={sums && countText(sums.requests)}
        note={sums && sums.estimated_requests > 0 && `${shortCount(sums.estimated_requests)} estimated`}
      />
      <Figure
        name="Errors"
        value={sums && shortCount(sums.errors)}
        note={sums && sums.requests > 0 && percentText(sums.errors / sums.requests)}
      />
      <Figure
        name="Tokens in"
        value={sums && shortCount(sums.prompt_tokens)}
        title={sums && countText(sums.prompt_tokens)}
        note={sums && sums.cached_tokens > 0 && `${shortCount(sums.cached_tokens)} cached`}
      />
      <Figure
        name="Tokens out"
        value={sums && shortCount(sums.completion_tokens)}
        title={sums && countText(sums.completion_tokens)}
        note={sums && sums.reasoning_tokens > 0 && `${shortCount(sums.reasoning_tokens)} reasoning`}
      />
      <DurationFigure percent="p50" percentiles={percentiles} />
      <DurationFigure percent="p95" percentiles={percentiles} />
    </Figures>
  )
}

interface DurationFigureProps {
  percent: 'p50' | 'p95'
  percentiles: UsagePercentiles | undefined
}

/** Of many requests only the newest are looked at, and the title says so. */
function DurationFigure({ percent, percentiles }: DurationFigureProps) {
  const first = percentiles?.ttft_ms[percent] ?? null
  return (
    <Figure
      name={`Duration ${percent}`}
      value={percentiles && timeOf(percentiles.duration_ms[percent])}
      title={
        percentiles &&
        (percentiles.is_all ? 'Of all of these requests' : `Of the newest ${countText(percentiles.requests)}`)
      }
      note={first !== null && `${durationText(first)} first token`}
    />
  )
}

/** On a phone the figures would fill the screen. */
function SummaryLine({ sums, percentiles }: SummaryProps) {
  return (
    <p aria-label="Summary of these requests" role="group" className="text-sm text-ink-soft">
      {sums
        ? [
            costOf(sums),
            counted(sums.requests, 'request'),
            counted(sums.errors, 'error'),
            ...(percentiles
              ? [`p50 ${timeOf(percentiles.duration_ms.p50)}`, `p95 ${timeOf(percentiles.duration_ms.p95)}`]
              : []),
          ].join(' · ')
        : ' '}
    </p>
  )
}

function Unpriced({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Link
      to="/usage/prices"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
      title={`${counted(count, 'request')} without a price. Set prices.`}
    >
      {shortCount(count)} without a price
    </Link>
  )
}
