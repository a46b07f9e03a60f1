import type { Kysely } from 'kysely'
import { olderThan, type Place } from '#kernel/paging'
import type { RunStatus } from '../shapes/run.ts'
import type { AgentTables } from '../tables.ts'
import { shownColumns, type ShownRun } from './to-run.ts'

export interface RunFilter {
  groupId: string
  agentId?: string | undefined
  startedBy?: string | undefined
  status?: RunStatus | undefined
  before?: Place | undefined
  limit: number
}

/** The newest first, without the conversations. */
export async function listRuns(db: Kysely<AgentTables>, filter: RunFilter): Promise<ShownRun[]> {
  const { agentId, startedBy, status, before } = filter
  let query = db.selectFrom('agents.runs').select(shownColumns).where('group_id', '=', filter.groupId)
  if (agentId !== undefined) query = query.where('agent_id', '=', agentId)
  if (startedBy !== undefined) query = query.where('started_by', '=', startedBy)
  if (status !== undefined) query = query.where('status', '=', status)
  if (before) query = query.where(olderThan('created_at', 'id', before))
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute()
}
