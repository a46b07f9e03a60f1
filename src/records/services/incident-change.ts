import { Fault, faults, invalidField } from '#kernel/errors'
import type { IncidentChange } from '../shapes/services.ts'
import { dateOf } from '../times.ts'

/** What people write has this source; health checks and alerts have others. */
export const manual = 'manual'

/** Of an incident that health checks opened, they decide when it ends. */
const checkedFields = ['cause', 'opened_at', 'closed_at'] as const

interface Times {
  opened_at: Date
  closed_at: Date | null
}

/** The times after a change, or a fault that says why it is refused. */
export function changedTimes(before: Times & { source: string }, change: IncidentChange, now: Date): Times {
  const refused = checkedFields.find((field) => change[field] !== undefined)
  if (before.source === 'health_check' && refused !== undefined)
    throw invalidField(refused, 'is set by the health checks')
  return checkTimes(
    {
      opened_at: dateOf(change.opened_at) ?? before.opened_at,
      closed_at: change.closed_at === undefined ? before.closed_at : dateOf(change.closed_at),
    },
    now,
  )
}

/** Clocks of browsers differ from ours. */
const toleranceMs = 5 * 60_000

export function checkTimes({ opened_at, closed_at }: Times, now: Date): Times {
  const latest = now.getTime() + toleranceMs
  if (opened_at.getTime() > latest) throw invalidField('opened_at', 'must not be in the future')
  if (closed_at === null) return { opened_at, closed_at }
  if (closed_at.getTime() > latest) throw invalidField('closed_at', 'must not be in the future')
  if (closed_at < opened_at) throw invalidField('closed_at', ['must not be before ', { path: 'opened_at' }])
  return { opened_at, closed_at }
}

/** What checks and alerts saw stays in the history. */
export function checkRemovable({ source }: { source: string }): void {
  if (source === manual) return
  throw new Fault(faults.conflict, 'Only incidents that people added can be deleted. Close this one instead.')
}
