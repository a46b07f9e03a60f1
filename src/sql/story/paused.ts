import type { ApprovalRow } from '../approvals/approval-store.ts'
import type { PendingApproval } from '../contract.ts'
import type { Done } from './recorded.ts'

/** The call waits for a person. */
export const paused = (row: ApprovalRow, because?: string): Done<PendingApproval> => ({
  outcome: {
    status: 'paused',
    approvalId: row.id,
    ...(because !== undefined && { error: because }),
  },
  value: {
    status: 'pending_approval',
    approval_id: row.id,
    operations: row.operations,
    preview: row.preview,
    expires_at: row.expires_at.toISOString(),
  },
})

export const otherEffect = 'It would have done something else than what was approved: rolled back.'
