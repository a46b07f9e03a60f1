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

interface Day {
  date: string
  sums: Daily | undefined
}

/** Spend and requests per day, those that failed marked; a day leads to its requests. */
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
  const hasCost = days.some((day) => costOf(day) > 0)
  return (
    <div className={hasCost ? 'grid gap-5 lg:grid-cols-2' : ''}>
      {hasCost && (
        <Bars title="Spend per day" to="/usage" days={days} valueOf={costOf} colour="bg-[var(--series-2)]" />
      )}
      <Bars
        title="Requests per day"
        to="/logs"
        days={days}
        valueOf={({ sums }) => sums?.requests ?? 0}
        failedOf={({ sums }) => sums?.errors ?? 0}
        colour="bg-[var(--series-1)]"
      />
    </div>
  )
}

const costOf = ({ sums }: Day): number => Number(sums?.total_cost ?? 0)

interface BarsProps {
  title: string
  to: '/usage' | '/logs'
  days: readonly Day[]
  valueOf: (day: Day) => number
  /** The share of the value that failed. */
  failedOf?: (day: Day) => number
  colour: string
}

function Bars({ title, to, days, valueOf, failedOf = () => 0, colour }: BarsProps) {
  const most = Math.max(...days.map(valueOf)) || 1
  const height = (value: number) => `${((value / most) * 100).toFixed(1)}%`
  return (
    <Card
      title={title}
      description="Days are in UTC."
      action={
        <Link to={to} className="text-sm text-accent hover:underline">
          {to === '/usage' ? 'Usage' : 'Logs'}
        </Link>
      }
    >
      <ol className="flex items-end gap-2">
        {days.map((day) => (
          <li key={day.date} className="min-w-0 flex-1">
            <Link
              to={to}
              search={{ start_date: day.date, end_date: day.date }}
              title={wordsOf(day)}
              aria-label={`${title}: ${wordsOf(day)}`}
              className="group block rounded-md"
            >
              <span className="flex h-24 flex-col justify-end overflow-hidden rounded-md bg-sunken">
                <span className="w-full bg-danger-strong" style={{ height: height(failedOf(day)) }} />
                <span
                  className={`w-full transition-opacity group-hover:opacity-80 ${colour}`}
                  style={{ height: height(valueOf(day) - failedOf(day)) }}
                />
              </span>
              <span className="mt-1 block truncate text-center text-xs text-ink-faint">
                {dayText(day.date)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function wordsOf({ date, sums }: Day): string {
  const cost = sums?.total_cost ?? null
  return `${dayText(date)}: ${counted(sums?.requests ?? 0, 'request')}, ${countText(sums?.errors ?? 0)} failed, ${
    cost === null ? 'no cost' : shortDollars(cost)
  }`
}
