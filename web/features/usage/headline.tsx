import { Link } from '@tanstack/react-router'
import type { UsageSums } from '#usage/contract'
import { Figure, Figures } from '../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { countText, durationText, percentText, shortCount } from '../../ui/quantity.ts'
import { Change } from '../../ui/change.tsx'
import { daysAfter, startOf } from '../../ui/days.ts'
import type { Span } from './period.ts'

interface HeadlineProps {
  sums: UsageSums | undefined
  before: UsageSums | undefined
  /** Null where a filter chooses requests: events cannot be chosen in the same way. */
  span?: Span | null
}

const errorRate = (sums: UsageSums) => (sums.requests === 0 ? null : sums.errors / sums.requests)

/** The totals of the period, each compared with the previous period. */
export function Headline({ sums, before, span = null }: HeadlineProps) {
  const cost = sums?.total_cost ?? null
  const change = (
    read: (sums: UsageSums) => number | null,
    kind: { upIsBad?: boolean; isShare?: boolean } = {},
  ) => sums && before && <Change now={read(sums)} before={read(before)} upIsBad={false} {...kind} />
  return (
    <Figures label="Headline figures">
      <Figure
        name="Spend"
        value={sums && (cost === null ? (sums.requests === 0 ? '$0.00' : '–') : shortDollars(cost))}
        title={cost === null ? undefined : exactDollars(cost)}
        note={change(({ total_cost }) => Number(total_cost ?? 0))}
      />
      <Figure
        name="Requests"
        value={sums && shortCount(sums.requests)}
        title={sums && countText(sums.requests)}
        note={change(({ requests }) => requests)}
      />
      <Figure
        name="Tokens"
        value={sums && shortCount(sums.total_tokens)}
        title={sums && countText(sums.total_tokens)}
        note={change(({ total_tokens }) => total_tokens)}
      />
      <Figure
        name="Error rate"
        value={sums && <ErrorRate sums={sums} span={span} />}
        title={sums && `${countText(sums.errors)} of ${countText(sums.requests)}`}
        note={change(errorRate, { upIsBad: true, isShare: true })}
      />
      <Figure
        name="Average duration"
        value={sums && (sums.avg_duration_ms === null ? '–' : durationText(sums.avg_duration_ms))}
        note={change(({ avg_duration_ms }) => avg_duration_ms, { upIsBad: true })}
      />
      <Figure
        name="Without a price"
        value={sums && shortCount(sums.unpriced_requests)}
        title={sums && countText(sums.unpriced_requests)}
        note={
          sums !== undefined && sums.unpriced_requests > 0 ? (
            <Link to="/usage/prices" className="text-accent underline underline-offset-2">
              Set prices
            </Link>
          ) : (
            sums && sums.requests > 0 && 'all priced'
          )
        }
      />
    </Figures>
  )
}

/** With a link to the failed requests in the console. */
function ErrorRate({ sums, span }: { sums: UsageSums; span: Span | null }) {
  if (sums.requests === 0) return '–'
  const text = percentText(sums.errors / sums.requests)
  if (span === null || sums.errors === 0) return text
  const isoTime = (day: string): string => new Date(startOf(day)).toISOString()
  const until = daysAfter(span.end_date, 1)
  return (
    <Link
      to="/console"
      search={{
        type: 'api_call',
        severity: 'error',
        since: isoTime(span.start_date),
        ...(startOf(until) < Date.now() && { until: isoTime(until) }),
      }}
      className="hover:underline"
    >
      {text}
    </Link>
  )
}
