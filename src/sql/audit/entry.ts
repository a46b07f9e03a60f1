import { createHash } from 'node:crypto'
import type { Asker, AuditStatus } from '../contract.ts'
import type { AuditKind } from '../tables.ts'

/** One entry of the chain, as it is hashed. Everything that is stored of it is in here. */
export interface AuditEntry {
  group_id: string
  attempt_id: string
  phase: 'before' | 'after'
  kind: AuditKind
  database: string
  sql: string
  truncated: boolean
  /** Of the whole text, so that it can be recognized although the entry is cut and has no secrets. */
  sql_hash: Buffer
  executor: string
  user_id: string | null
  api_key_id: string | null
  agent_id: string | null
  policy_version: number | null
  reason: string
  operations: string[]
  status: AuditStatus
  rule: string | null
  error: string | null
  rows_affected: number | null
  duration_ms: number | null
  approval_id: string | null
  /** Null in entries from before it was kept. */
  asked_by: Asker | null
  /** Masked columns that took part; null: none. */
  masked: string[] | null
  /** A grant that took part. */
  grant_id: string | null
  created_at: Date
}

/** The order is part of every hash that was ever made, so it never changes. */
export const hashedColumns = [
  'group_id',
  'attempt_id',
  'phase',
  'kind',
  'database',
  'sql',
  'truncated',
  'sql_hash',
  'executor',
  'user_id',
  'api_key_id',
  'agent_id',
  'policy_version',
  'reason',
  'operations',
  'status',
  'rule',
  'error',
  'rows_affected',
  'duration_ms',
  'approval_id',
  'created_at',
] as const satisfies readonly Exclude<keyof AuditEntry, 'asked_by' | 'masked' | 'grant_id'>[]

/** The same bytes for the same entry, whether it was just made or read from the table. */
export function canonical(entry: AuditEntry): Buffer {
  const values = hashedColumns.map((name) => {
    const value = entry[name]
    if (Buffer.isBuffer(value)) return value.toString('hex')
    return value instanceof Date ? value.toISOString() : value
  })
  return Buffer.from(JSON.stringify([...values, ...askerValues(entry.asked_by), ...ruleValues(entry)]))
}

/** In an order of its own: PostgreSQL does not keep that of keys in JSON. Entries without it hash as they always did. */
function askerValues(asked: Asker | null): unknown[] {
  if (!asked) return []
  const { user, agent_version, run_id, request } = asked
  return [user?.id ?? null, user?.name ?? null, user?.email ?? null, agent_version, run_id, request]
}

/** With a word before them, so that they are never taken for something else. */
function ruleValues({ masked, grant_id: grantId }: AuditEntry): unknown[] {
  return masked === null && grantId === null ? [] : ['rules', masked, grantId]
}

export const hashAfter = (previous: Buffer, entry: AuditEntry): Buffer =>
  createHash('sha256').update(previous).update(canonical(entry)).digest()

const maxSqlBytes = 10_240

/** The text as the audit keeps it: at most 10,240 bytes, cut between two characters, and without NUL. */
export function cutSql(text: string): { sql: string; truncated: boolean } {
  const bytes = Buffer.from(text.replaceAll('\0', '\uFFFD').toWellFormed())
  if (bytes.length <= maxSqlBytes) return { sql: bytes.toString(), truncated: false }
  let end = maxSqlBytes
  // Bytes of the form 10xxxxxx continue a character.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--
  return { sql: bytes.toString('utf8', 0, end), truncated: true }
}
