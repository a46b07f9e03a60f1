import { Fault, faults } from '#kernel/errors'
import type { ApprovalRow } from '../approvals/approval-store.ts'
import { executeBody, migrateBody } from '../contract.ts'
import type { Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import { execute, type ExecuteAnswer } from './execute.ts'
import { migrate, type MigrateAnswer } from './migrate.ts'

/** Sends the stored call again, in the name of the person who runs it. */
export async function runApproved(
  story: StoryDeps,
  caller: Caller,
  row: ApprovalRow,
): Promise<ExecuteAnswer | MigrateAnswer> {
  if (row.request === null)
    throw new Fault(
      faults.conflict,
      'The text has a secret and was not stored. Send the call again with approval_id.',
    )
  const request = { ...row.request, approval_id: row.id }
  return row.kind === 'migrate'
    ? migrate(story, caller, migrateBody.parse(request))
    : execute(story, caller, executeBody.parse(request))
}
