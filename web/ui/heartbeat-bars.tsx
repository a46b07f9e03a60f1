import { clsx } from 'clsx'

export type BeatState = 'up' | 'degraded' | 'down' | 'maintenance' | 'none'

export interface Beat {
  state: BeatState
  /** What the bar stands for, such as "16 Nov, 09:00: 60 checks passed". */
  text: string
}

/** What was not checked is grey: it is not known to be good. */
const looks: Record<BeatState, string> = {
  up: 'bg-success-strong',
  degraded: 'bg-primary',
  down: 'bg-danger-strong',
  maintenance: 'bg-[var(--series-1)]',
  none: 'bg-line-strong',
}

const names: Record<BeatState, string> = {
  up: 'up',
  degraded: 'partly down',
  down: 'down',
  maintenance: 'maintenance',
  none: 'no data',
}

interface HeartbeatBarsProps {
  /** What the bars show, for screen readers. */
  label: string
  /** The oldest first. */
  beats: readonly Beat[]
  className?: string
  /** A click on a bar. */
  onPick?: (index: number) => void
}

/** One bar per step of time, coloured by what the health checks found. */
export function HeartbeatBars({ label, beats, className, onPick }: HeartbeatBarsProps) {
  return (
    <div
      role="img"
      aria-label={`${label}: ${summaryOf(beats)}`}
      className={clsx('flex h-7 w-full min-w-0 gap-px sm:gap-0.5', className)}
    >
      {beats.map((beat, index) => (
        <span
          key={index}
          title={beat.text}
          data-state={beat.state}
          onClick={onPick && (() => onPick(index))}
          className={clsx(
            'min-w-px flex-1 rounded-[2px] transition-opacity hover:opacity-70',
            looks[beat.state],
            onPick && 'cursor-pointer',
          )}
        />
      ))}
    </div>
  )
}

/** `3 up, 1 down, 86 no data` */
function summaryOf(beats: readonly Beat[]): string {
  const states = Object.keys(names) as BeatState[]
  const counts = states.map((state) => ({
    state,
    count: beats.filter((beat) => beat.state === state).length,
  }))
  return counts
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${names[state]}`)
    .join(', ')
}

export function HeartbeatLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
      {(Object.keys(names) as BeatState[]).map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <span aria-hidden className={clsx('h-3 w-1.5 rounded-[2px]', looks[state])} />
          {names[state]}
        </li>
      ))}
    </ul>
  )
}
