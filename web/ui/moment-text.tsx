import { exactTime, relativeTime } from './moment.ts'

/** A time as people say it; the exact one is in its title. */
export function MomentText({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)} className="whitespace-nowrap">
      {relativeTime(time, Date.now())}
    </time>
  )
}
