import { Pause, Play } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { StatusDot, type Status } from '../../ui/status-dot.tsx'
import type { EventListState } from './event-list.ts'

interface LiveSwitchProps {
  live: EventListState['live']
  isPaused: boolean
  onPause: () => void
  /** Shows the newest events and those that follow. */
  onFollow: () => void
}

const states: Record<EventListState['live'], { status: Status; name: string }> = {
  connecting: { status: 'warning', name: 'Connecting…' },
  open: { status: 'ok', name: 'Live' },
  lost: { status: 'warning', name: 'Reconnecting…' },
  refused: { status: 'error', name: 'Disconnected' },
  off: { status: 'off', name: 'Not live' },
}

/** Shows whether new events are added to the list, and pauses or resumes that. */
export function LiveSwitch({ live, isPaused, onPause, onFollow }: LiveSwitchProps) {
  const isOn = !isPaused && live !== 'off'
  const { status, name } =
    isPaused && live !== 'off' ? { status: 'off' as const, name: 'Paused' } : states[live]
  const Sign = isOn ? Pause : Play
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label="Live updates"
      title={isOn ? 'Pause live updates (p)' : 'Show the newest events and follow (f)'}
      onClick={isOn ? onPause : onFollow}
      className={buttonClass()}
    >
      <StatusDot status={status} blinking={isOn && live !== 'refused'}>
        {name}
      </StatusDot>
      <Sign aria-hidden className="size-3.5 text-ink-faint" />
    </button>
  )
}
