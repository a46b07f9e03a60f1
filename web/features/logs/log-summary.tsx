import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogFilter } from '#usage/contract'
import { Figure, Figures } from '../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { countText, counted, durationText, percentText, shortCount } from '../../ui/quantity.ts'
import { sumsQuery } from '../../api/usage-queries.ts'

interface LogSummaryProps {
  groupId: string
  filter: LogFilter
  isLive: boolean
}

/** Totals over all matching requests, not only the loaded ones. */
export function LogSummary({ groupId, filter, isLive }: LogSummaryProps) {
  const { data, error, refetch } = useQuery({
    ...sumsQuery(groupId, filter),
    refetchInterval: isLive ? 5000 : false,
  })
  if (error && !data) return <FailureNotice error={error} onRetry={() => refetch()} />
  const cost = data?.total_cost ?? null
  return (
    <Figures label="Summary of these requests">
      <Figure
        name="Cost"
        value={data && (cost === null ? '–' : shortDollars(cost))}
        title={cost === null ? undefined : exactDollars(cost)}
        note={data && <Unpriced count={data.unpriced_requests} />}
      />
      <Figure
        name="Requests"
        value={data && shortCount(data.requests)}
        title={data && countText(data.requests)}
        note={data && data.estimated_requests > 0 && `${shortCount(data.estimated_requests)} estimated`}
      />
      <Figure
        name="Errors"
        value={data && shortCount(data.errors)}
        note={data && data.requests > 0 && percentText(data.errors / data.requests)}
      />
      <Figure
        name="Tokens in"
        value={data && shortCount(data.prompt_tokens)}
        title={data && countText(data.prompt_tokens)}
        note={data && data.cached_tokens > 0 && `${shortCount(data.cached_tokens)} cached`}
      />
      <Figure
        name="Tokens out"
        value={data && shortCount(data.completion_tokens)}
        title={data && countText(data.completion_tokens)}
        note={data && data.reasoning_tokens > 0 && `${shortCount(data.reasoning_tokens)} reasoning`}
      />
      <Figure
        name="Average duration"
        value={data && (data.avg_duration_ms === null ? '–' : durationText(data.avg_duration_ms))}
      />
    </Figures>
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
