/** What `GET /providers` answers, as this page uses it. */

export interface ProviderKey {
  id: string
  name: string
  key_suffix: string
  is_default: boolean
  is_active: boolean
  user_id: string | null
  created_at: string
  last_used_at: string | null
  last_error: string | null
  last_error_at: string | null
}

export interface ProviderAccount {
  id: string
  group_id: string
  provider_id: string
  name: string
  account_email: string | null
  account_phone: string | null
  keys: ProviderKey[]
}

export interface Provider {
  id: string
  spec_name: string | null
  name: string
  base_url: string
  docs_url: string | null
  is_active: boolean
  prefixes: string[]
  accounts: ProviderAccount[]
}

export interface SyncResult {
  synced: number
  added: number
  updated: number
  removed: number
  duration_ms: number
}
