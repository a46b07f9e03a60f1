import { clsx } from 'clsx'
import { exactTime } from '../../../ui/moment.ts'
import { minuteText } from '../../../ui/moment.ts'

export function MessageTime({ time, className }: { time: string | null; className?: string }) {
  if (time === null) return null
  return (
    <time
      dateTime={time}
      title={exactTime(time)}
      className={clsx('shrink-0 text-xs text-ink-faint', className)}
    >
      {minuteText(time)}
    </time>
  )
}
