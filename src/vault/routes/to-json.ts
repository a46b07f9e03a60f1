import { rowJson } from '#kernel/rows'
import type { AccountRow } from '../account-store.ts'
import type { PlacedProviderKey, ProviderAccount, ProviderKey } from '../contract.ts'
import type { ProviderKeyRow } from '../key-store.ts'

const ofKey = [
  ...(['id', 'name', 'key_suffix', 'is_default', 'is_active', 'weight', 'pooled', 'user_id'] as const),
  ...(['created_at', 'last_used_at', 'last_error', 'last_error_at'] as const),
]
const ofPlacedKey = [...ofKey, 'provider_account_id', 'provider_id', 'group_id'] as const

export const toKey = (row: ProviderKeyRow): ProviderKey => rowJson(row, ofKey)

export const toPlacedKey = (row: ProviderKeyRow): PlacedProviderKey => rowJson(row, ofPlacedKey)

export function toAccount(row: AccountRow, keys: readonly ProviderKeyRow[]): ProviderAccount {
  const { id, group_id, provider_id, name, account_email, account_phone } = row
  return { id, group_id, provider_id, name, account_email, account_phone, keys: keys.map(toKey) }
}
