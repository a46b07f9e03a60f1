import { askedOf, type AuditRecord, type Work } from '../contract.ts'
import type { AttemptRow, WorkRow } from './audit-store.ts'

/** Field by field, so that a column added later does not end up in a response. */
export function toRecord(row: AttemptRow): AuditRecord {
  return {
    id: row.attempt_id,
    kind: row.kind,
    database: row.database,
    sql: row.sql,
    truncated: row.truncated,
    executor: row.executor,
    agent_id: row.agent_id,
    asked_by: askedOf(row.asked_by, row.agent_id),
    reason: row.reason,
    operations: row.operations,
    status: row.status,
    rule: row.rule,
    error: row.error,
    rows_affected: row.rows_affected,
    duration_ms: row.duration_ms,
    approval_id: row.approval_id,
    created_at: row.created_at.toISOString(),
    seq: Number(row.seq),
    hash: (row.outcome_hash ?? row.hash).toString('hex'),
  }
}

export const toWork = (row: WorkRow): Work => ({ ...toRecord(row), facts: row.facts })

const columns = [
  'id',
  'created_at',
  'kind',
  'status',
  'database',
  'operations',
  'sql',
  'truncated',
  'executor',
  'agent_id',
  'asked_by',
  'reason',
  'rule',
  'error',
  'rows_affected',
  'duration_ms',
  'approval_id',
  'seq',
  'hash',
] as const satisfies readonly (keyof AuditRecord)[]

export const csvHead = columns.join(',')

export const csvLine = (record: AuditRecord): string => columns.map((name) => cell(record[name])).join(',')

const asText = (value: string | number | boolean | object | null): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** A spreadsheet would run a text that begins like a formula. */
function cell(value: AuditRecord[keyof AuditRecord]): string {
  const text = Array.isArray(value) ? value.join('; ') : asText(value)
  const guarded = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
