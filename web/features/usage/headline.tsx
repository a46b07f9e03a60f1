import { Link } from '@tanstack/react-router'
import type { UsageSums } from '#usage/contract'
import { Figure, Figures } from '../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { countText, durationText, percentText, shortCount } from '../../ui/quantity.ts'
import { Change } from '../../ui/change.tsx'

interface HeadlineProps {
  sums: UsageSums | undefined
  before: UsageSums | undefined
}

const errorRate = (sums: UsageSums) => (sums.requests === 0 ? null : sums.errors / sums.requests)

/** The totals of the period, each compared with the previous period. */
export function Headline({ sums, before }: HeadlineProps) {
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
        value={sums && (sums.requests === 0 ? '–' : percentText(sums.errors / sums.requests))}
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
