import type { AccountRow } from '../account-store.ts'
import type { PlacedProviderKey, ProviderAccount, ProviderKey } from '../contract.ts'
import type { ProviderKeyRow } from '../key-store.ts'

/** Field by field, so that a column added later does not end up in a response. */
export function toKey(row: ProviderKeyRow): ProviderKey {
  return {
    id: row.id,
    name: row.name,
    key_suffix: row.key_suffix,
    is_default: row.is_default,
    is_active: row.is_active,
    user_id: row.user_id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_error: row.last_error,
    last_error_at: row.last_error_at?.toISOString() ?? null,
  }
}

export function toPlacedKey(row: ProviderKeyRow): PlacedProviderKey {
  const { provider_account_id, provider_id, group_id } = row
  return { ...toKey(row), provider_account_id, provider_id, group_id }
}

export function toAccount(row: AccountRow, keys: readonly ProviderKeyRow[]): ProviderAccount {
  const { id, group_id, provider_id, name, account_email, account_phone } = row
  return { id, group_id, provider_id, name, account_email, account_phone, keys: keys.map(toKey) }
}
