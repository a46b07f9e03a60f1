import type { ApprovalStatus, AuditStatus } from '#sql/contract'

// Written out: the contract itself brings the schemas, which no page needs before it is opened.
const approvalStatuses: Record<ApprovalStatus, true> = {
  pending: true,
  approved: true,
  rejected: true,
  used: true,
  expired: true,
}
const auditStatuses: Record<AuditStatus, true> = {
  running: true,
  executed: true,
  failed: true,
  refused: true,
  paused: true,
  approved: true,
  rejected: true,
  dry_run: true,
  already_applied: true,
  unknown: true,
  policy_changed: true,
  database_changed: true,
}

const oneOf = <Word extends string>(words: Record<Word, true>, value: unknown): Word | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value) ? (value as Word) : undefined

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

export interface ConsoleAddress {
  database?: string
  agent?: string
}
export const readConsoleAddress = (search: Record<string, unknown>): ConsoleAddress =>
  given({ database: text(search['database']), agent: text(search['agent']) }) as ConsoleAddress

export interface ApprovalsAddress {
  status?: ApprovalStatus
}
export const readApprovalsAddress = (search: Record<string, unknown>): ApprovalsAddress =>
  given({ status: oneOf(approvalStatuses, search['status']) }) as ApprovalsAddress

export interface AuditAddress {
  q?: string
  database?: string
  status?: AuditStatus
  agent?: string
  open?: string
}
export const readAuditAddress = (search: Record<string, unknown>): AuditAddress =>
  given({
    q: text(search['q']),
    database: text(search['database']),
    status: oneOf(auditStatuses, search['status']),
    agent: text(search['agent']),
    open: text(search['open']),
  }) as AuditAddress
