import type { ColumnType } from 'kysely'
import type { Asker, AttemptFacts, AuditStatus, SqlEvidence } from './contract.ts'
import type { Effect } from './evidence/evidence.ts'

type Json<T> = ColumnType<T, string, string>
export type SqlKind = 'execute' | 'migrate' | 'undo'
export type AuditKind = SqlKind | 'policy' | 'database' | 'grant'

export interface SqlTables {
  'sql.audit_heads': { group_id: string; seq: string; previous: Buffer; hash: Buffer }
  'sql.audit': {
    group_id: string
    seq: string
    attempt_id: string
    phase: 'before' | 'after'
    kind: AuditKind
    database: string
    sql: string
    truncated: boolean
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
    /** A bigint: text when it is read. */
    rows_affected: string | null
    duration_ms: number | null
    approval_id: string | null
    asked_by: ColumnType<Asker | null, string | null, never>
    masked: string[] | null
    grant_id: string | null
    created_at: Date
    previous_hash: Buffer
    hash: Buffer
  }
  'sql.attempt_facts': { attempt_id: string; group_id: string; facts: Json<AttemptFacts> }
  'sql.open_attempts': { attempt_id: string; group_id: string; process_id: string }
  'sql.approvals': {
    id: string
    group_id: string
    kind: SqlKind
    database: string
    sql: string
    is_complete: boolean
    request: ColumnType<Record<string, unknown> | null, string | null, string | null>
    bound_hash: Buffer
    agent_id: string
    policy_version: number
    operations: string[]
    rule: string
    reason: string
    preview: Json<SqlEvidence>
    effect: ColumnType<Effect | null, string | null, string | null>
    status: 'pending' | 'approved' | 'rejected' | 'used' | 'expired'
    asked_by: ColumnType<Asker | null, string, never>
    ended_reason: string | null
    requested_by: string | null
    requested_key: string | null
    requester: string
    decided_by: string | null
    decider: string | null
    note: string | null
    decided_at: Date | null
    used_at: Date | null
    audit_id: string | null
    created_at: ColumnType<Date, never, never>
    expires_at: Date
  }
}
