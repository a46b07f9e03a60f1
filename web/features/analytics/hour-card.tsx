import type { DevlogsReport } from '#analytics/contract'
import { counted } from '../../ui/quantity.ts'
import { heatColour, levelOf } from './heat.ts'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour)

/** One row per weekday, one square per hour. */
export function HourCard({ cells }: { cells: DevlogsReport['heatmap'] }) {
  const counts = new Map(cells.map(({ weekday, hour, count }) => [`${weekday} ${hour}`, count]))
  const largest = Math.max(0, ...counts.values())
  const busiest = cells.find(({ count }) => count === largest)
  const label = busiest
    ? `Busiest: ${weekdays[busiest.weekday - 1]} at ${busiest.hour}:00, ${counted(busiest.count, 'devlog')}`
    : 'No devlogs in the period'
  return (
    <div role="img" aria-label={label} className="space-y-1">
      {weekdays.map((name, index) => (
        <div key={name} className="flex items-center gap-2">
          <span aria-hidden className="w-7 shrink-0 text-[0.6875rem] leading-4 text-ink-faint">
            {name}
          </span>
          <div className="grid flex-1 grid-cols-24 gap-px sm:gap-1">
            {hoursOfDay.map((hour) => {
              const count = counts.get(`${index + 1} ${hour}`) ?? 0
              return (
                <span
                  key={hour}
                  title={`${name} ${hour}:00: ${count === 0 ? 'no devlogs' : counted(count, 'devlog')}`}
                  className="h-4 rounded-[3px]"
                  style={{ background: heatColour(levelOf(count, largest)) }}
                />
              )
            })}
          </div>
        </div>
      ))}
      <div aria-hidden className="flex justify-between pl-9 text-[0.6875rem] text-ink-faint">
        <span>0:00</span>
        <span>6:00</span>
        <span>12:00</span>
        <span>18:00</span>
        <span>23:00</span>
      </div>
    </div>
  )
}
