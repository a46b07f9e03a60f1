import type { ColumnType, Generated } from 'kysely'

export interface UndoTables {
  'sql.undo_images': {
    audit_id: string
    group_id: string
    database: string
    schema_name: string
    table_name: string
    agent_id: string
    operation: 'UPDATE' | 'DELETE'
    row_count: number
    secret_id: string
    created_at: ColumnType<Date, never, never>
    expires_at: Date
    undone_at: Generated<Date | null>
    undone_by: Generated<string | null>
  }
}
