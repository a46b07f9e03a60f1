import { Fault, faults } from '#kernel/errors'
import type { ExecuteBody, UndoBody } from '../contract.ts'
import { SqlError } from '../run/faults.ts'
import { undoStatement } from '../undo/statement.ts'
import type { Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import { execute, type ExecuteAnswer } from './execute.ts'
import { addedAgain } from './undo-whole.ts'

const uniqueViolation = '23505'

/** Restores the rows of a change by a statement that the policy judges like any other. */
export async function undo(
  deps: StoryDeps,
  caller: Caller,
  auditId: string,
  { reason, approval_id, dry_run }: UndoBody,
): Promise<ExecuteAnswer> {
  const { keptRows } = deps
  const kept = await keptRows.find(caller.group.id, auditId)
  const images = await keptRows.open(kept)
  const ask = (sql: string, values: unknown[]) =>
    deps.runner.lookUp({ groupId: kept.group_id, database: kept.database }, sql, values)
  const { sql, params, expect } = await undoStatement(ask, images)
  const { database, agent_id } = kept
  const body: ExecuteBody = { database, sql, params, reason, agent_id, approval_id, dry_run, max_rows: 1 }
  let claimedBy: string | undefined
  const claim = async (attemptId: string): Promise<void> => {
    if (await keptRows.claim(kept, attemptId)) claimedBy = attemptId
    else throw new Fault(faults.conflict, 'Another request already undid this change.')
  }
  try {
    return await execute(deps, caller, body, { request: { undo_of: auditId, reason }, expect, claim })
  } catch (error) {
    if (claimedBy !== undefined) await keptRows.release(kept, claimedBy)
    throw error instanceof SqlError && error.sqlstate === uniqueViolation ? addedAgain() : error
  }
}
