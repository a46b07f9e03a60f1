import { exactTime } from '../../../ui/moment.ts'
import { clockTime } from '../transcript-words.ts'

export function MessageTime({ time }: { time: string | null }) {
  if (time === null) return null
  return (
    <time dateTime={time} title={exactTime(time)} className="shrink-0 text-xs text-ink-faint">
      {clockTime(time)}
    </time>
  )
}
