import { Fault, faults } from '#kernel/errors'
import type { ApprovalRow } from '../approvals/approval-store.ts'
import { z } from 'zod'
import { executeBody, migrateBody, rollbackBody, undoBody } from '../contract.ts'
import type { Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import { execute, type ExecuteAnswer } from './execute.ts'
import { migrate, type MigrateAnswer } from './migrate.ts'
import { rollBack, type RollbackAnswer } from './roll-back.ts'
import { undo } from './undo.ts'

const undoRequest = z.looseObject({ undo_of: z.uuid() })
const rollbackRequest = z.looseObject({ rollback_of: z.uuid() })

/** Sends the stored call again, in the name of the person who runs it. */
export async function runApproved(
  story: StoryDeps,
  caller: Caller,
  row: ApprovalRow,
): Promise<ExecuteAnswer | MigrateAnswer | RollbackAnswer> {
  if (row.request === null)
    throw new Fault(
      faults.conflict,
      'The text has a secret and was not stored. Send the call again with approval_id.',
    )
  const request = { ...row.request, approval_id: row.id }
  if (row.kind === 'undo') {
    const { undo_of: auditId, ...body } = undoRequest.parse(request)
    return undo(story, caller, auditId, undoBody.parse(body))
  }
  const rollback = rollbackRequest.safeParse(request)
  if (rollback.success) {
    const { rollback_of: id, ...body } = rollback.data
    const migration = await story.history.find([row.group_id], id)
    return rollBack(story, caller, migration, rollbackBody.parse(body))
  }
  return row.kind === 'migrate'
    ? migrate(story, caller, migrateBody.parse(request))
    : execute(story, caller, executeBody.parse(request))
}
