import { exactTime, relativeTime } from './moment.ts'

/** A relative time, with the exact one in its title. */
export function MomentText({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)} className="whitespace-nowrap">
      {relativeTime(time, Date.now())}
    </time>
  )
}
