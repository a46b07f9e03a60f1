import type { ApprovalStatus, AuditStatus, PolicyExplanation } from '#sql/contract'
import type { Tone } from '../../ui/badge.tsx'

export const auditTones: Record<AuditStatus, Tone> = {
  running: 'info',
  executed: 'success',
  failed: 'danger',
  refused: 'danger',
  paused: 'accent',
  approved: 'success',
  rejected: 'danger',
  dry_run: 'neutral',
  already_applied: 'neutral',
  unknown: 'danger',
  policy_changed: 'info',
  database_changed: 'info',
  grant_changed: 'info',
}

export const auditNames: Record<AuditStatus, string> = {
  running: 'Running',
  executed: 'Executed',
  failed: 'Failed',
  refused: 'Refused',
  paused: 'Waits for approval',
  approved: 'Approved',
  rejected: 'Rejected',
  dry_run: 'Dry run',
  already_applied: 'Already applied',
  unknown: 'Outcome unknown',
  policy_changed: 'Policy changed',
  database_changed: 'Database changed',
  grant_changed: 'Grant changed',
}

export const approvalTones: Record<ApprovalStatus, Tone> = {
  pending: 'accent',
  approved: 'success',
  rejected: 'danger',
  used: 'neutral',
  expired: 'neutral',
}

export const approvalNames: Record<ApprovalStatus, string> = {
  pending: 'Waits',
  approved: 'Approved, not run yet',
  rejected: 'Rejected',
  used: 'Approved and run',
  expired: 'Expired',
}

export const decisionTones: Record<PolicyExplanation['decision'], Tone> = {
  execute: 'success',
  approve: 'accent',
  refuse: 'danger',
}

export const decisionNames: Record<PolicyExplanation['decision'], string> = {
  execute: 'Runs at once',
  approve: 'Needs approval',
  refuse: 'Refused',
}
