import type { ServiceState } from '../shapes/services.ts'

export interface Health {
  state: ServiceState
  /** Failed checks in a row, outside of maintenance. */
  failures: number
  /** Passed checks in a row. */
  passes: number
}

export interface FlapGuard {
  failures_to_open: number
  passes_to_close: number
}

export interface NextHealth extends Health {
  /** What happens to the service's incident. */
  incident: 'opens' | 'closes' | 'stays'
}

/**
 * One check. A single failure or pass changes nothing where more in a row are needed, so a service that flaps has one
 * incident. In maintenance failures are expected: they open nothing, but passes may close what is open.
 */
export function nextHealth(
  before: Health,
  { ok, inMaintenance, hasIncident }: { ok: boolean; inMaintenance: boolean; hasIncident: boolean },
  guard: FlapGuard,
): NextHealth {
  const failures = ok || inMaintenance ? 0 : before.failures + 1
  const passes = ok ? before.passes + 1 : 0
  const opens = !hasIncident && failures >= guard.failures_to_open
  const closes = hasIncident && passes >= guard.passes_to_close
  const isDown = opens || (hasIncident && !closes)
  return {
    state: inMaintenance ? 'maintenance' : isDown ? 'down' : stateWithoutIncident(before.state, ok),
    failures,
    passes,
    incident: opens ? 'opens' : closes ? 'closes' : 'stays',
  }
}

/** Too few failures for an incident: a service that was up counts as up, another is not known yet. */
function stateWithoutIncident(before: ServiceState, ok: boolean): ServiceState {
  return ok || before === 'up' ? 'up' : 'unknown'
}
