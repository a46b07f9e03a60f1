import type { ColumnType, Generated } from 'kysely'

export type Environment = 'dev' | 'staging' | 'prod'

export interface DatabaseTables {
  'sql.logins': {
    role: string
    group_id: string
    secret_id: string
    created_at: Generated<Date>
  }
  'sql.databases': {
    id: string
    group_id: string
    name: string
    secret_id: string
    host: string
    port: number
    database: string
    login: string
    environment: Environment
    schemas: string[]
    is_by_local_owner: boolean
    created_by: string | null
    created_at: ColumnType<Date, never, never>
    updated_at: ColumnType<Date, never, Date>
  }
  'sql.setups': {
    role_prefix: string
    schemas: string[]
    set_up_at: Date | null
  }
}
