import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SpendForecast, UsageSums } from '#usage/contract'
import { Change } from '../../../ui/change.tsx'
import { Figure, Figures } from '../../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../../ui/money.ts'
import { countText, durationText, percentText, shortCount } from '../../../ui/quantity.ts'
import { forecastQuery } from '../../usage/index.ts'

interface OverviewFiguresProps {
  groupId: string
  sums: UsageSums | undefined
  /** Of the seven days before. */
  before: UsageSums | undefined
}

const errorRate = ({ errors, requests }: UsageSums) => (requests === 0 ? null : errors / requests)

/** Spend with its trend and where the month will end, requests, errors and latency. */
export function OverviewFigures({ groupId, sums, before }: OverviewFiguresProps) {
  const { data: month } = useQuery(forecastQuery(groupId))
  const cost = sums?.total_cost ?? null
  const change = (
    read: (sums: UsageSums) => number | null,
    kind: { upIsBad?: boolean; isShare?: boolean } = {},
  ) => sums && before && <Change now={read(sums)} before={read(before)} upIsBad={false} {...kind} />
  return (
    <Figures label="Headline figures">
      <Figure
        name="Spend, 7 days"
        value={sums && (cost === null ? (sums.requests === 0 ? '$0.00' : '–') : shortDollars(cost))}
        title={cost === null ? undefined : exactDollars(cost)}
        note={change(({ total_cost }) => Number(total_cost ?? 0))}
      />
      <Figure
        name="Spend, this month"
        value={month && <Link to="/usage">{shortDollars(month.spent)}</Link>}
        title={month && exactDollars(month.spent)}
        note={month && forecastText(month)}
      />
      <Figure
        name="Requests"
        value={sums && shortCount(sums.requests)}
        title={sums && countText(sums.requests)}
        note={change(({ requests }) => requests)}
      />
      <Figure
        name="Error rate"
        value={sums && <ErrorRate sums={sums} />}
        title={sums && `${countText(sums.errors)} of ${countText(sums.requests)}`}
        note={change(errorRate, { upIsBad: true, isShare: true })}
      />
      <Figure
        name="Average duration"
        value={sums && (sums.avg_duration_ms === null ? '–' : durationText(sums.avg_duration_ms))}
        note={change(({ avg_duration_ms }) => avg_duration_ms, { upIsBad: true })}
      />
    </Figures>
  )
}

const forecastText = ({ forecast }: SpendForecast): string =>
  forecast === null ? 'no forecast yet' : `forecast ${shortDollars(forecast)}`

/** With a link to the requests that failed. */
function ErrorRate({ sums }: { sums: UsageSums }) {
  const rate = errorRate(sums)
  if (rate === null) return '–'
  if (sums.errors === 0) return percentText(rate)
  return (
    <Link to="/logs" search={{ status: 'error' }} className="hover:underline">
      {percentText(rate)}
    </Link>
  )
}
