import { sql, type Kysely, type Transaction } from 'kysely'
import type { VaultTables } from './tables.ts'

type Db = Kysely<VaultTables>

export async function masterKeyInForce(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('vault.master_key').select('key_id').executeTakeFirst()
  return row?.key_id
}

/** The current key, locked until the transaction ends; `own` if there is none yet. */
export async function holdMasterKey(transaction: Transaction<VaultTables>, own: string): Promise<string> {
  await transaction
    .insertInto('vault.master_key')
    .values({ key_id: own })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await transaction
    .selectFrom('vault.master_key')
    .select('key_id')
    .forShare()
    .executeTakeFirstOrThrow()
  return row.key_id
}

/** Waits for all who are encrypting, and blocks others until the transaction ends. */
export async function putInForce(transaction: Transaction<VaultTables>, id: string): Promise<void> {
  await transaction
    .insertInto('vault.master_key')
    .values({ key_id: id })
    .onConflict((conflict) =>
      conflict.column('singleton').doUpdateSet({ key_id: id, since: sql<Date>`now()` }),
    )
    .execute()
}

export async function hasKeys(db: Db): Promise<boolean> {
  const row = await db.selectFrom('vault.provider_keys').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export interface SealedRow {
  id: string
  group_id: string
  encrypted_key: string
}

/** The next rows in the order of their ids, locked until the transaction ends. */
export async function holdSealed(db: Db, afterId: string, limit: number): Promise<SealedRow[]> {
  return db
    .selectFrom('vault.provider_keys')
    .select(['id', 'group_id', 'encrypted_key'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function saveSealed(db: Db, rows: readonly SealedRow[]): Promise<void> {
  const ids = rows.map((row) => row.id)
  const texts = rows.map((row) => row.encrypted_key)
  await sql`
    update vault.provider_keys k set encrypted_key = n.text
    from unnest(${ids}::uuid[], ${texts}::text[]) as n (id, text) where k.id = n.id
  `.execute(db)
}
