import type { ApprovalStatus, AuditStatus } from '#sql/contract'
import { addressReader, on, text, word } from '../../ui/address.ts'
import { migrationStates } from './migrations/migration-words.ts'

// Written out: the contract itself brings the schemas, which no page needs before it is opened.
const approvalStatuses: readonly ApprovalStatus[] = ['pending', 'approved', 'rejected', 'used', 'expired']
const auditStatuses: readonly AuditStatus[] = [
  ...(['running', 'executed', 'failed', 'refused', 'paused', 'approved', 'rejected'] as const),
  ...([
    'dry_run',
    'already_applied',
    'unknown',
    'policy_changed',
    'database_changed',
    'grant_changed',
  ] as const),
]

export const readConsoleAddress = addressReader({ database: text, agent: text })

export const readDatabasesAddress = addressReader({ new: on })

export const readApprovalsAddress = addressReader({ status: word(approvalStatuses) })

export const readMigrationsAddress = addressReader({
  q: text,
  database: text,
  state: word(migrationStates),
  agent: text,
})

export const readAuditAddress = addressReader({
  q: text,
  database: text,
  status: word(auditStatuses),
  agent: text,
  open: text,
})
