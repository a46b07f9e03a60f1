import type { Kysely } from 'kysely'
import type { VaultTables } from './tables.ts'

type Db = Kysely<VaultTables>

export async function insertSecret(db: Db, id: string, groupId: string, sealed: string): Promise<void> {
  await db.insertInto('vault.secrets').values({ id, group_id: groupId, encrypted_value: sealed }).execute()
}

export async function sealedSecret(db: Db, groupId: string, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('vault.secrets')
    .select('encrypted_value')
    .where('id', '=', id)
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  return row?.encrypted_value
}

export async function deleteSecret(db: Db, groupId: string, id: string): Promise<void> {
  await db.deleteFrom('vault.secrets').where('id', '=', id).where('group_id', '=', groupId).execute()
}
