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

/** What is lost with the master key. */
export const sealedColumns = [
  { table: 'vault.provider_keys', column: 'encrypted_key', idName: 'providerKeyId', what: 'provider key' },
  { table: 'vault.secrets', column: 'encrypted_value', idName: 'secretId', what: 'secret' },
] as const

/** Secrets of the server follow a rotation, but without them nothing is lost. */
export const rewrappedColumns = [
  ...sealedColumns,
  {
    table: 'vault.server_secrets',
    column: 'encrypted_value',
    idName: 'serverSecretId',
    what: 'server secret',
  },
] as const
export type SealedColumn = (typeof rewrappedColumns)[number]

export async function hasKeys(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from vault.provider_keys) or exists (select from vault.secrets) as found
  `.execute(db)
  return rows[0]?.found === true
}

export interface SealedRow {
  id: string
  group_id: string
  text: string
}

/** All of them, in batches; nothing is locked. */
export async function* sealedRows(db: Db, { table, column }: SealedColumn): AsyncGenerator<SealedRow> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<SealedRow>`
      select id, group_id, ${sql.ref(column)} as text from ${sql.table(table)}
      where id > ${after} order by id limit 500
    `.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/** The next rows in the order of their ids, locked until the transaction ends. */
export async function holdSealed(
  db: Db,
  { table, column }: SealedColumn,
  afterId: string,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, group_id, ${sql.ref(column)} as text from ${sql.table(table)}
    where id > ${afterId} order by id limit ${limit} for update
  `.execute(db)
  return rows
}

export async function saveSealed(
  db: Db,
  { table, column }: SealedColumn,
  changed: readonly SealedRow[],
): Promise<void> {
  const ids = changed.map((row) => row.id)
  const texts = changed.map((row) => row.text)
  await sql`
    update ${sql.table(table)} k set ${sql.ref(column)} = n.text
    from unnest(${ids}::uuid[], ${texts}::text[]) as n (id, text) where k.id = n.id
  `.execute(db)
}

export async function countSealed(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from vault.provider_keys) + (select count(*) from vault.secrets))::int as count
  `.execute(db)
  return rows[0]?.count ?? 0
}

export async function deleteSealed(db: Db): Promise<{ providerKeys: number; secrets: number }> {
  return db.transaction().execute(async (transaction) => {
    const keys = await transaction.deleteFrom('vault.provider_keys').executeTakeFirst()
    const secrets = await transaction.deleteFrom('vault.secrets').executeTakeFirst()
    await transaction.deleteFrom('vault.server_secrets').execute()
    await transaction.deleteFrom('vault.master_key').execute()
    return { providerKeys: Number(keys.numDeletedRows), secrets: Number(secrets.numDeletedRows) }
  })
}
