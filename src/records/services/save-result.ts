import type { Activity, Events } from '#kernel/events'
import { newId } from '#kernel/uuid'
import type { Db } from '../record-store.ts'
import type { ServiceState } from '../shapes/services.ts'
import {
  closeIncident,
  insertCheck,
  lockForResult,
  openIncident,
  saveHealth,
  type DueService,
  type LockedService,
} from './check-store.ts'
import type { ProbeResult } from './probe.ts'
import { nextHealth } from './state.ts'

/** Saves a check with all that follows from it in one transaction. A change of state is an event. */
export async function saveResult(
  { db, events }: { db: Db; events: Events },
  due: DueService,
  at: Date,
  result: ProbeResult,
): Promise<void> {
  const changed = await db.transaction().execute(async (transaction) => {
    const service = await lockForResult(transaction, due, at)
    if (!service) return undefined
    const { in_maintenance: inMaintenance, incident_id: incidentId } = service
    const hasIncident = incidentId !== null
    const next = nextHealth(service, { ok: result.ok, inMaintenance, hasIncident }, service)
    await insertCheck(transaction, service, at, result)
    await saveHealth(transaction, due.id, at, next, result)
    if (next.incident === 'opens')
      await openIncident(transaction, newId(), service, result.error ?? '', next.failures)
    if (next.incident === 'closes' && incidentId !== null)
      await closeIncident(transaction, incidentId, due.id, next.passes)
    return next.state === service.state ? undefined : { service, state: next.state }
  })
  if (changed) events.emit('activity', describeChange(changed.service, changed.state, result), at)
}

function describeChange(service: LockedService, state: ServiceState, result: ProbeResult): Activity {
  return {
    groupId: service.group_id,
    by: null,
    type: 'health_check',
    severity: state === 'down' ? 'error' : 'info',
    service: service.name,
    source: 'platform',
    title:
      state === 'unknown'
        ? `The state of ${service.name} is not known`
        : `${service.name} is ${words[state]}`,
    message: result.error ?? '',
    metadata: {
      service_id: service.id,
      state,
      previous_state: service.state,
      status_code: result.status_code,
      latency_ms: result.latency_ms,
    },
  }
}

const words = { up: 'up', down: 'down', maintenance: 'in maintenance' } as const
