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

/**
 * Asks for approval, once for the same call: while it waits, it is not tried again. `tryOut` returns what the trial
 * found, or undefined where there is nothing to ask for. A text with a secret is not stored: the caller has to send it
 * again with the approval.
 */
export function askForApproval(
  approvals: Approvals,
  prepared: Prepared,
  tryOut: () => Promise<Asking | undefined>,
): Promise<ApprovalRow | undefined> {
  const { caller, reading, judged, hash, approval: before } = prepared
  const { executor } = caller
  const about = {
    group_id: caller.group.id,
    bound_hash: hash,
    // After an approval that no longer fits, the new one is for the caller who asked then.
    requested_key: before ? before.requested_key : executor.keyId,
    requester: before ? before.requester : executor.name,
  }
  return approvals.askOnce(about, async () => {
    const asking = await tryOut()
    if (asking === undefined) return undefined
    const request = JSON.stringify(asking.request)
    const isComplete = !reading.carriesSecret && mask(request) === request
    return {
      ...about,
      kind: asking.kind,
      database: asking.body.database,
      sql: mask(reading.safeText),
      is_complete: isComplete,
      request: isComplete ? request : null,
      agent_id: judged.agent.id,
      policy_version: judged.agent.policy_version,
      operations: reading.operations,
      rule: judged.decision.rule,
      reason: mask(asking.body.reason),
      preview: JSON.stringify(asking.preview),
      effect: asking.effect && JSON.stringify(asking.effect),
      requested_by: before ? before.requested_by : executor.userId,
      asked_by: JSON.stringify(before?.asked_by ?? executor.asked),
    }
  })
}
