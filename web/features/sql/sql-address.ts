import { approvalStatuses, auditStatuses, type ApprovalStatus, type AuditStatus } from '#sql/contract'

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
  given({ status: approvalStatuses.find((status) => status === search['status']) }) as ApprovalsAddress

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
    status: auditStatuses.find((status) => status === search['status']),
    agent: text(search['agent']),
    open: text(search['open']),
  }) as AuditAddress
