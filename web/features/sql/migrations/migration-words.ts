import type { MigrationState } from '#sql/contract'
import type { Tone } from '../../../ui/badge.tsx'

// Written out: the contract itself brings the schemas, which no page needs before it is opened.
export const migrationStates: readonly MigrationState[] = [
  ...(['waiting', 'approved', 'running', 'applied', 'rejected'] as const),
  ...(['failed', 'rolled_back', 'expired', 'unknown'] as const),
]

export const migrationNames: Record<MigrationState, string> = {
  waiting: 'Waits for approval',
  approved: 'Approved, not run yet',
  running: 'Running',
  applied: 'Applied',
  rejected: 'Rejected',
  failed: 'Failed',
  rolled_back: 'Rolled back',
  expired: 'Expired',
  unknown: 'Outcome unknown',
}

export const migrationTones: Record<MigrationState, Tone> = {
  waiting: 'accent',
  approved: 'info',
  running: 'info',
  applied: 'success',
  rejected: 'danger',
  failed: 'danger',
  rolled_back: 'neutral',
  expired: 'neutral',
  unknown: 'danger',
}
