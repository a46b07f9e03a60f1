import type { Kysely, Selectable } from 'kysely'
import { listKeysOfAccount, type ProviderKeyRow } from './key-store.ts'
import type { VaultTables } from './tables.ts'

type Db = Kysely<VaultTables>
export type AccountRow = Omit<Selectable<VaultTables['vault.provider_accounts']>, 'created_at' | 'is_custom'>

const columns = ['id', 'group_id', 'provider_id', 'name', 'account_email', 'account_phone'] as const

export interface NewAccount {
  group_id: string
  provider_id: string
  /** Then the database refuses it when the provider is being removed. */
  is_custom: boolean
  name: string
  account_email: string | null
  account_phone: string | null
}

/** undefined when the group has an account of this name with the provider. */
export async function insertAccount(db: Db, account: NewAccount): Promise<AccountRow | undefined> {
  return db
    .insertInto('vault.provider_accounts')
    .values(account)
    .onConflict((conflict) => conflict.columns(['group_id', 'provider_id', 'name']).doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function findAccountByName(
  db: Db,
  groupId: string,
  providerId: string,
  name: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('vault.provider_accounts')
    .select(columns)
    .where('group_id', '=', groupId)
    .where('provider_id', '=', providerId)
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function findAccount(db: Db, groupIds: string[], id: string): Promise<AccountRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('vault.provider_accounts')
    .select(columns)
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

export async function listAccounts(db: Db, groupId: string): Promise<AccountRow[]> {
  return db
    .selectFrom('vault.provider_accounts')
    .select(columns)
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export interface AccountChange {
  name?: string | undefined
  account_email?: string | null | undefined
  account_phone?: string | null | undefined
}

export async function updateAccount(
  db: Db,
  id: string,
  change: AccountChange,
): Promise<AccountRow | undefined> {
  return db
    .updateTable('vault.provider_accounts')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

/** The keys that were deleted with the account; undefined when another request deleted it first. */
export async function deleteAccount(db: Db, id: string): Promise<ProviderKeyRow[] | undefined> {
  return db.transaction().execute(async (transaction) => {
    // Nobody adds a key between the list of keys and the end of the account.
    const held = await transaction
      .selectFrom('vault.provider_accounts')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!held) return undefined
    const keys = await listKeysOfAccount(transaction, id)
    await transaction.deleteFrom('vault.provider_accounts').where('id', '=', id).execute()
    return keys
  })
}
