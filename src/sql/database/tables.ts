import type { Generated } from 'kysely'

export interface LoginTables {
  'sql.logins': {
    role: string
    group_id: string
    secret_id: string
    created_at: Generated<Date>
  }
}
