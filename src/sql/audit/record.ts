import { rowJson } from '#kernel/rows'
import { askedOf, type AuditRecord, type Work } from '../contract.ts'
import type { AttemptRow, WorkRow } from './audit-store.ts'

const shown = [
  ...(['kind', 'database', 'sql', 'truncated', 'executor', 'agent_id', 'reason', 'operations'] as const),
  ...(['status', 'rule', 'error', 'rows_affected', 'duration_ms', 'approval_id', 'created_at'] as const),
  'grant_id' as const,
]

export const toRecord = (row: AttemptRow): AuditRecord => ({
  id: row.attempt_id,
  ...rowJson(row, shown),
  masked: row.masked ?? [],
  asked_by: askedOf(row.asked_by, row.agent_id),
  seq: Number(row.seq),
  hash: (row.outcome_hash ?? row.hash).toString('hex'),
})

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
  'masked',
  'grant_id',
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
