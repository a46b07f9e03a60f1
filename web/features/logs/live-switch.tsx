import { Pause, Play } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'

interface LiveSwitchProps {
  isLive: boolean
  /** The last check for new rows failed. */
  isStale: boolean
  onChange: (isLive: boolean) => void
}

/** Shows whether new requests are added to the list, and pauses or resumes that. */
export function LiveSwitch({ isLive, isStale, onChange }: LiveSwitchProps) {
  const Sign = isLive ? Pause : Play
  const name = isLive ? (isStale ? 'Reconnecting…' : 'Live') : 'Paused'
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isLive}
      aria-label="Live updates"
      title={isLive ? 'Pause live updates' : 'Resume live updates'}
      onClick={() => onChange(!isLive)}
      className={buttonClass()}
    >
      <StatusDot status={isLive ? (isStale ? 'warning' : 'ok') : 'off'} blinking={isLive}>
        {name}
      </StatusDot>
      <Sign aria-hidden className="size-3.5 text-ink-faint" />
    </button>
  )
}
