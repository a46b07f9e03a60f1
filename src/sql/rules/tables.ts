import type { ColumnType, Generated } from 'kysely'

export interface RuleTables {
  'sql.database_rules': {
    group_id: string
    database: string
    masked_columns: string[]
    updated_at: Generated<Date>
  }
  'sql.grants': {
    id: string
    group_id: string
    agent_id: string
    database: string
    operations: string[]
    tables: string[]
    unmask: string[]
    reason: string
    given_by: string | null
    giver: string
    created_at: ColumnType<Date, never, never>
    expires_at: Date
    revoked_at: Generated<Date | null>
    revoker: Generated<string | null>
  }
}
