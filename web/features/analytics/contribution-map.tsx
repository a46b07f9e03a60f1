import { clsx } from 'clsx'
import type { DevlogsReport } from '#analytics/contract'
import { dayText, startOf } from '../../ui/days.ts'
import { counted } from '../../ui/quantity.ts'
import { heatColour } from './heat.ts'

type Day = DevlogsReport['per_day'][number]

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** One square per day: weeks from left to right, Mondays on top. */
export function ContributionMap({ days, onPick }: { days: readonly Day[]; onPick: (index: number) => void }) {
  const first = days[0]
  const offset = first ? (new Date(startOf(first.date)).getUTCDay() + 6) % 7 : 0
  const total = days.reduce((sum, { human, ai }) => sum + human + ai, 0)
  return (
    <div className="flex gap-2 overflow-x-auto pb-1">
      <div aria-hidden className="grid shrink-0 grid-rows-7 gap-1 text-[0.6875rem] leading-4 text-ink-faint">
        {weekdays.map((name, index) => (
          <span key={name}>{index % 2 === 0 ? name : ''}</span>
        ))}
      </div>
      <div
        role="img"
        aria-label={`${counted(total, 'devlog')} in ${counted(days.length, 'day')}`}
        className="grid grid-flow-col grid-rows-7 gap-1"
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
  )
}

const textOf = ({ human, ai }: Day): string =>
  human + ai === 0 ? 'no devlogs' : `${counted(human + ai, 'devlog')}, ${ai} by AI`
