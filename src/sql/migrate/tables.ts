import type { ColumnType } from 'kysely'
import type { Asker, CopyTrial, MigrationOutcome, SqlEvidence } from '../contract.ts'

type Json<T> = ColumnType<T | null, string | null, string | null>

export interface MigrationTables {
  'sql.migrations': {
    id: string
    group_id: string
    database: string
    name: string
    sha256: string
    state: 'asked' | 'running' | 'applied' | 'failed' | 'rolled_back'
    is_elsewhere: boolean
    statements: string[]
    is_complete: boolean
    checks: string[]
    operations: string[]
    rollback: string[] | null
    agent_id: string | null
    reason: string
    requester: string
    requested_key: string | null
    asked_by: Json<Asker>
    approval_id: string | null
    preview: Json<SqlEvidence>
    result: Json<MigrationOutcome>
    copy: Json<CopyTrial>
    attempt_id: string | null
    audit_id: string | null
    error: string | null
    duration_ms: number | null
    asked_at: Date
    applied_at: Date | null
    rollback_approval_id: string | null
    rolled_back_at: Date | null
    rolled_back_by: string | null
    rollback_audit_id: string | null
  }
}
