import type { ColumnType, Generated } from 'kysely'

export interface UndoTables {
  'sql.undo_images': {
    audit_id: string
    group_id: string
    database: string
    schema_name: string | null
    table_name: string | null
    agent_id: string
    operation: 'INSERT' | 'UPDATE' | 'DELETE' | null
    row_count: number
    /** Null where it cannot be undone, for this reason. */
    secret_id: string | null
    reason: string | null
    created_at: ColumnType<Date, never, never>
    expires_at: Date
    undone_at: Generated<Date | null>
    undone_by: Generated<string | null>
  }
}
