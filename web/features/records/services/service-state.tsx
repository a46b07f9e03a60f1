import type { Service, ServiceState } from '#records/contract'
import { MomentText } from '../../../ui/moment-text.tsx'
import { StatusDot, type Status } from '../../../ui/status-dot.tsx'

const dots: Record<ServiceState, Status> = { up: 'ok', down: 'error', maintenance: 'planned', unknown: 'off' }

/** Why a state is unknown says more than the word. */
function wordOf({ state, is_paused, url }: Service): string {
  if (is_paused) return 'Paused'
  if (state !== 'unknown') return { up: 'Up', down: 'Down', maintenance: 'Maintenance' }[state]
  return url === null ? 'Not checked' : 'No data yet'
}

export function ServiceStateText({ service }: { service: Service }) {
  return (
    <span>
      <StatusDot status={service.is_paused ? 'off' : dots[service.state]}>{wordOf(service)}</StatusDot>
      <span className="block text-xs text-ink-faint">
        since <MomentText time={service.state_since} />
      </span>
    </span>
  )
}
