import { Pause, Play } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { Lamp } from '../../ui/lamp.tsx'

interface LiveSwitchProps {
  isLive: boolean
  /** The last look for new rows failed. */
  isStale: boolean
  onChange: (isLive: boolean) => void
}

/** Says whether the list follows, and lets it stop and go on. */
export function LiveSwitch({ isLive, isStale, onChange }: LiveSwitchProps) {
  const Sign = isLive ? Pause : Play
  const name = isLive ? (isStale ? 'Reconnecting' : 'Live') : 'Paused'
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isLive}
      aria-label="Live"
      title={isLive ? 'Pause: keep the list as it is' : 'Go live: show new requests as they come'}
      onClick={() => onChange(!isLive)}
      className={buttonClass()}
    >
      <Lamp aspect={isLive ? (isStale ? 'caution' : 'clear') : 'dark'} blinking={isLive}>
        {name}
      </Lamp>
      <Sign aria-hidden className="size-3.5 text-ink-faint" />
    </button>
  )
}
