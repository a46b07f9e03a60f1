import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Daily } from '#usage/contract'
import { dailyQuery } from '../../../api/usage-queries.ts'
import { dayText, daysAfter, daysBetween } from '../../../ui/days.ts'
import { shortDollars } from '../../../ui/money.ts'
import { Card } from '../../../ui/page.tsx'
import { countText, counted } from '../../../ui/quantity.ts'

interface Span {
  start_date: string
  end_date: string
}

/** Requests per day, those that failed marked; a day leads to its requests. */
export function RequestBars({ groupId, period }: { groupId: string; period: Span }) {
  const { start_date, end_date } = period
  const { data } = useQuery({
    ...dailyQuery(groupId, { start_date, end_date }),
    refetchInterval: 30_000,
  })
  const days = Array.from({ length: daysBetween(start_date, end_date) }, (_, index) => {
    const date = daysAfter(start_date, index)
    return { date, sums: data?.find((each) => each.date === date) }
  })
  const most = Math.max(1, ...days.map(({ sums }) => sums?.requests ?? 0))
  return (
    <Card
      title="Requests per day"
      description="Days are in UTC."
      action={
        <Link to="/usage" className="text-sm text-accent hover:underline">
          Usage
        </Link>
      }
    >
      <ol className="flex items-end gap-2">
        {days.map(({ date, sums }) => (
          <DayBar key={date} date={date} sums={sums} most={most} />
        ))}
      </ol>
    </Card>
  )
}

function DayBar({ date, sums, most }: { date: string; sums: Daily | undefined; most: number }) {
  const requests = sums?.requests ?? 0
  const errors = sums?.errors ?? 0
  const cost = sums?.total_cost ?? null
  const height = (count: number) => `${((count / most) * 100).toFixed(1)}%`
  const words = `${dayText(date)}: ${counted(requests, 'request')}, ${countText(errors)} failed, ${
    cost === null ? 'no cost' : shortDollars(cost)
  }`
  return (
    <li className="min-w-0 flex-1">
      <Link
        to="/logs"
        search={{ start_date: date, end_date: date }}
        title={words}
        aria-label={words}
        className="group block rounded-md"
      >
        <span className="flex h-24 flex-col justify-end overflow-hidden rounded-md bg-sunken">
          <span className="w-full bg-danger-strong" style={{ height: height(errors) }} />
          <span
            className="w-full bg-[var(--series-1)] transition-opacity group-hover:opacity-80"
            style={{ height: height(requests - errors) }}
          />
        </span>
        <span className="mt-1 block truncate text-center text-xs text-ink-faint">{dayText(date)}</span>
      </Link>
    </li>
  )
}
