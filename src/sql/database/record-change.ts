import { configActivity, type Events } from '#kernel/events'
import type { Audit, Executor } from '../audit/audit.ts'

export interface DatabaseChange {
  groupId: string
  by: Executor
  database: string
  /** `added`, `set up`, and so on. */
  what: string
}

/** An entry of the audit log, and an event for the console. */
export async function recordChange(
  { audit, events }: { audit: Audit; events: Events },
  { groupId, by, database, what }: DatabaseChange,
): Promise<void> {
  const text = `Database ${what}: ${database}`
  await audit.record(
    {
      groupId,
      kind: 'database',
      database,
      text,
      safeText: text,
      by,
      agentId: null,
      policyVersion: null,
      reason: text,
      operations: [],
      rule: null,
      approvalId: null,
    },
    { status: 'database_changed' },
  )
  events.emit('activity', {
    ...configActivity,
    groupId,
    by: by.userId,
    title: text,
    metadata: { database },
  })
}
