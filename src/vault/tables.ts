import type { ColumnType, Generated } from 'kysely'

type Created = ColumnType<Date, Date | undefined, never>

export interface VaultTables {
  'vault.provider_accounts': {
    id: Generated<string>
    group_id: string
    provider_id: string
    name: string
    account_email: string | null
    account_phone: string | null
    is_custom: boolean
    created_at: Created
  }
  'vault.provider_keys': {
    id: string
    provider_account_id: string
    group_id: string
    provider_id: string
    user_id: string | null
    encrypted_key: string
    name: string
    key_suffix: string
    is_default: Generated<boolean>
    is_active: Generated<boolean>
    weight: Generated<number>
    pooled: Generated<boolean>
    last_used_at: Date | null
    last_error: string | null
    last_error_at: Date | null
    created_at: Created
  }
  'vault.secrets': { id: string; group_id: string; encrypted_value: string; created_at: Created }
  'vault.server_secrets': {
    name: string
    id: string
    group_id: Generated<string>
    encrypted_value: string
    created_at: Created
  }
  'vault.master_key': { singleton: Generated<boolean>; key_id: string; since: Generated<Date> }
}
