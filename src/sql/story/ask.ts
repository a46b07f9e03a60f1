import { mask } from '#kernel/mask'
import type { ApprovalRow } from '../approvals/approval-store.ts'
import type { Approvals } from '../approvals/approvals.ts'
import type { SqlEvidence } from '../contract.ts'
import type { Effect } from '../evidence/evidence.ts'
import type { SqlKind } from '../tables.ts'
import type { CallBody, Prepared } from './prepared.ts'

export interface Asking {
  kind: SqlKind
  body: CallBody
  /** The body, to run it later from the page. */
  request: object
  effect: Effect | null
  preview: SqlEvidence
}

/** A text with a secret is not stored: the caller has to send it again with the approval. */
export async function askForApproval(
  approvals: Approvals,
  { caller, reading, judged, hash, approval: before }: Prepared,
  asking: Asking,
): Promise<ApprovalRow> {
  const request = JSON.stringify(asking.request)
  const isComplete = !reading.carriesSecret && mask(request) === request
  const { executor } = caller
  return approvals.ask({
    group_id: caller.group.id,
    kind: asking.kind,
    database: asking.body.database,
    sql: mask(reading.safeText),
    is_complete: isComplete,
    request: isComplete ? request : null,
    bound_hash: hash,
    agent_id: judged.agent.id,
    policy_version: judged.agent.policy_version,
    operations: reading.operations,
    rule: judged.decision.rule,
    reason: mask(asking.body.reason),
    preview: JSON.stringify(asking.preview),
    effect: asking.effect && JSON.stringify(asking.effect),
    // After an approval that no longer fits, the new one is for whoever asked then.
    requested_by: before ? before.requested_by : executor.userId,
    requested_key: before ? before.requested_key : executor.keyId,
    requester: before ? before.requester : executor.name,
    asked_by: JSON.stringify(before?.asked_by ?? executor.asked),
  })
}
