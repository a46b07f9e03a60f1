import type { Kysely } from 'kysely'
import type { VaultTables } from './tables.ts'

type Db = Kysely<VaultTables>

export async function findServerSecret(
  db: Db,
  name: string,
): Promise<{ id: string; encrypted_value: string } | undefined> {
  return db
    .selectFrom('vault.server_secrets')
    .select(['id', 'encrypted_value'])
    .where('name', '=', name)
    .executeTakeFirst()
}

/** The first one stays. */
export async function insertServerSecret(
  db: Db,
  row: { id: string; name: string; encrypted_value: string },
): Promise<void> {
  await db
    .insertInto('vault.server_secrets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** They can be made again: people sign in once more. */
export async function deleteServerSecrets(db: Db): Promise<void> {
  await db.deleteFrom('vault.server_secrets').execute()
}
