import { Link } from '@tanstack/react-router'
import type { UsageFilter, UsageSums } from '#usage/contract'
import { Change } from '../../ui/change.tsx'
import { Figure } from '../../ui/figure.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { countText, durationText, percentText, shortCount } from '../../ui/quantity.ts'

/** The totals of a period and of the one before it; undefined while they load. */
export interface Compared {
  sums: UsageSums | undefined
  before: UsageSums | undefined
}

interface TotalFigureProps extends Compared {
  name?: string
}

export function SpendFigure({ name = 'Spend', ...compared }: TotalFigureProps) {
  const { sums } = compared
  const cost = sums?.total_cost ?? null
  return (
    <Figure
      name={name}
      value={sums && (cost === null ? (sums.requests === 0 ? '$0.00' : '–') : shortDollars(cost))}
      title={cost === null ? undefined : exactDollars(cost)}
      note={<Since {...compared} read={({ total_cost }) => Number(total_cost ?? 0)} />}
    />
  )
}

export function RequestsFigure(compared: Compared) {
  return <CountFigure name="Requests" {...compared} read={({ requests }) => requests} />
}

export function TokensFigure(compared: Compared) {
  return <CountFigure name="Tokens" {...compared} read={({ total_tokens }) => total_tokens} />
}

/** Leads to the requests that failed; `filter` chooses the same requests in the logs. */
export function ErrorRateFigure({ filter, ...compared }: Compared & { filter: UsageFilter }) {
  const { sums } = compared
  return (
    <Figure
      name="Error rate"
      value={sums && <ErrorRate sums={sums} filter={filter} />}
      title={sums && `${countText(sums.errors)} of ${countText(sums.requests)}`}
      note={<Since {...compared} read={errorRate} upIsBad isShare />}
    />
  )
}

export function DurationFigure(compared: Compared) {
  const duration = compared.sums?.avg_duration_ms
  return (
    <Figure
      name="Average duration"
      value={duration === null ? '–' : duration && durationText(duration)}
      note={<Since {...compared} read={({ avg_duration_ms }) => avg_duration_ms} upIsBad />}
    />
  )
}

const errorRate = ({ errors, requests }: UsageSums) => (requests === 0 ? null : errors / requests)

interface ReadProps extends Compared {
  read: (sums: UsageSums) => number | null
}

interface SinceProps extends ReadProps {
  upIsBad?: boolean
  isShare?: boolean
}

/** How much a figure changed since the period before. */
function Since({ sums, before, read, upIsBad = false, isShare = false }: SinceProps) {
  if (!sums || !before) return null
  return <Change now={read(sums)} before={read(before)} upIsBad={upIsBad} isShare={isShare} />
}

interface CountFigureProps extends Compared {
  name: string
  read: (sums: UsageSums) => number
}

function CountFigure({ name, ...compared }: CountFigureProps) {
  const { sums, read } = compared
  return (
    <Figure
      name={name}
      value={sums && shortCount(read(sums))}
      title={sums && countText(read(sums))}
      note={<Since {...compared} />}
    />
  )
}

function ErrorRate({ sums, filter }: { sums: UsageSums; filter: UsageFilter }) {
  const rate = errorRate(sums)
  if (rate === null) return '–'
  if (sums.errors === 0) return percentText(rate)
  return (
    <Link to="/logs" search={{ ...filter, status: 'error' }} className="hover:underline">
      {percentText(rate)}
    </Link>
  )
}
