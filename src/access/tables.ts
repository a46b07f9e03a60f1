import type { ColumnType, Generated } from 'kysely'
import type { Role, RunMode, Scope } from '#kernel/auth'

type Created = ColumnType<Date, Date | undefined, never>

export interface AccessTables {
  'access.users': {
    id: string
    name: string
    email: string
    email_verified: Generated<boolean>
    created_at: Created
  }
  'access.accounts': {
    id: string
    user_id: string
    account_id: string
    provider_id: string
    password: string | null
  }
  'access.sessions': { id: string; user_id: string; expires_at: Date }
  'access.verifications': { id: string; expires_at: Date }
  'access.groups': {
    id: Generated<string>
    name: string
    time_zone: string | null
    created_at: Created
  }
  'access.memberships': { group_id: string; user_id: string; role: Role; created_at: Created }
  'access.departures': { group_id: string; user_id: string; created_at: Created }
  'access.invitations': InvitationTable
  'access.api_keys': ApiKeyTable
  'access.password_attempts': { subject: Buffer; failures: number; expires_at: Date }
}

interface InvitationTable {
  id: Generated<string>
  group_id: string
  role: Role
  email: string | null
  token_hash: Buffer
  created_by: string | null
  expires_at: Date
  used_at: Date | null
  created_at: Created
}

interface ApiKeyTable {
  id: Generated<string>
  group_id: string
  created_by: string | null
  /** The key that made this one. */
  parent_id: string | null
  name: string
  key_hash: Buffer
  key_prefix: string
  key_suffix: string
  scopes: Scope[]
  provider_key_overrides: ColumnType<Record<string, string>, string | undefined, string>
  expires_at: Date | null
  /** Null: every model. */
  allowed_models: ColumnType<string[] | null, string[] | null | undefined>
  /** Networks. Null: from everywhere. */
  allowed_addresses: ColumnType<string[] | null, string[] | null | undefined>
  last_used_at: Date | null
  revoked_at: Date | null
  /** The value before the last rotation, which is accepted until this time. */
  previous_hash: ColumnType<Buffer | null, Buffer | null | undefined>
  previous_valid_until: ColumnType<Date | null, Date | null | undefined>
  created_at: Created
  /** The run of an agent that works with it. */
  run_id: ColumnType<string | null, string | null | undefined>
  run_agent_id: ColumnType<string | null, string | null | undefined>
  run_mode: ColumnType<RunMode | null, RunMode | null | undefined>
  run_agent_version: ColumnType<number | null, number | null | undefined>
  run_request: ColumnType<string | null, string | null | undefined>
}
