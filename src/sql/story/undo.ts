import type { ExecuteBody, UndoBody } from '../contract.ts'
import { undoStatement } from '../undo/statement.ts'
import type { Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import { execute, type ExecuteAnswer } from './execute.ts'

/** Restores the rows of an approved change by a statement that the policy judges like any other. */
export async function undo(
  deps: StoryDeps,
  caller: Caller,
  auditId: string,
  { reason, approval_id, dry_run }: UndoBody,
): Promise<ExecuteAnswer> {
  const kept = await deps.keptRows.find(caller.group.id, auditId)
  const images = await deps.keptRows.open(kept)
  const ask = (sql: string, values: unknown[]) => deps.runner.lookUp(kept.database, sql, values)
  const { sql, params, expect } = await undoStatement(ask, images)
  const body: ExecuteBody = {
    database: kept.database,
    sql,
    params,
    reason,
    agent_id: kept.agent_id,
    approval_id,
    dry_run,
    max_rows: 1,
  }
  const answer = await execute(deps, caller, body, { request: { undo_of: auditId, reason }, expect })
  if (answer.status === 'executed') await deps.keptRows.done(kept)
  return answer
}
