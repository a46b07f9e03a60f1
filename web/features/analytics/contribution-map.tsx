import { useLayoutEffect, useRef } from 'react'
import { clsx } from 'clsx'
import type { DevlogsReport } from '#analytics/contract'
import { dayText, startOf } from '../../ui/days.ts'
import { counted } from '../../ui/quantity.ts'
import { heatColour } from './heat.ts'

type Day = DevlogsReport['per_day'][number]

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

interface ContributionMapProps {
  days: readonly Day[]
  onPick: (index: number) => void
}

/** One square per day: weeks from left to right, Mondays on top. The newest week is in view where not all fit. */
export function ContributionMap({ days, onPick }: ContributionMapProps) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => frame.current?.scrollTo({ left: frame.current.scrollWidth }), [days])
  const offset = weekdayOf(days[0])
  const total = days.reduce((sum, { human, ai }) => sum + human + ai, 0)
  return (
    <div className="flex gap-2">
      <div aria-hidden className="grid shrink-0 grid-rows-8 gap-1 text-[0.6875rem] leading-4 text-ink-faint">
        <span />
        {weekdays.map((name, index) => (
          <span key={name}>{index % 2 === 0 ? name : ''}</span>
        ))}
      </div>
      <div ref={frame} className="min-w-0 overflow-x-auto pb-1">
        <Months days={days} offset={offset} />
        <div
          role="img"
          aria-label={`${counted(total, 'devlog')} in ${counted(days.length, 'day')}`}
          className="grid w-max grid-flow-col grid-rows-7 gap-1"
        >
          {Array.from({ length: offset }, (_, index) => (
            <span key={index} className="size-4" />
          ))}
          {days.map((day, index) => (
            <span
              key={day.date}
              title={`${dayText(day.date)}: ${textOf(day)}`}
              data-level={day.level}
              onClick={day.level > 0 ? () => onPick(index) : undefined}
              className={clsx('size-4 rounded-[3px]', day.level > 0 && 'cursor-pointer')}
              style={{ background: heatColour(day.level) }}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Days since Monday. */
const weekdayOf = (day: Day | undefined): number =>
  day ? (new Date(startOf(day.date)).getUTCDay() + 6) % 7 : 0

/** A square and the gap beside it, in rem. */
const weekWidth = 1.25

/** Above the week in which each month begins; the first month where its name fits before the next. */
function Months({ days, offset }: { days: readonly Day[]; offset: number }) {
  const firsts = days.flatMap(({ date }, index) =>
    date.endsWith('-01') || index === 0 ? [{ date, week: Math.floor((index + offset) / 7) }] : [],
  )
  const shown = firsts.filter(({ week }, n) => (firsts[n + 1]?.week ?? Infinity) - week >= 2)
  return (
    <div aria-hidden className="relative mb-1 h-4 text-[0.6875rem] leading-4 text-ink-faint">
      {shown.map(({ date, week }) => (
        <span key={date} className="absolute" style={{ left: `${week * weekWidth}rem` }}>
          {months.format(new Date(startOf(date)))}
        </span>
      ))}
    </div>
  )
}

const textOf = ({ human, ai }: Day): string =>
  human + ai === 0 ? 'no devlogs' : `${counted(human + ai, 'devlog')}, ${ai} by AI`
