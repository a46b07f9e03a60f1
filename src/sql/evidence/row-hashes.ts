import { escapeIdentifier, type PoolClient } from 'pg'
import { Fault } from '#kernel/errors'
import type { Outside } from '../run/outside.ts'
import type { Effect, RowHash } from './evidence.ts'

/**
 * Adds which rows a statement updated or deleted, as a hash for each table, so that the same number of other rows is
 * another effect. The statement has run and is not committed: other sessions see the rows as they were, marked with the
 * transaction that changes them.
 */
export async function withRowHashes(client: PoolClient, outside: Outside, effect: Effect): Promise<Effect> {
  const known = new Set(effect.rows?.map(({ table }) => table))
  const changed = effect.tables.filter(({ updated, deleted }) => updated + deleted > 0)
  const names = changed
    .map(({ schema, name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`)
    .filter((table) => !known.has(table))
  if (names.length === 0) return effect
  const { rows } = await client.query<Own>(
    'select pg_current_xact_id()::xid::text as xid, pg_backend_pid() as pid',
  )
  const hashes: RowHash[] = []
  for (const table of names) hashes.push(await hashOf(client, outside, table, rows[0] as Own))
  return { ...effect, rows: [...(effect.rows ?? []), ...hashes] }
}

/** The transaction that changes the rows. Savepoints and blocks of functions have numbers of their own, above it. */
interface Own {
  xid: string
  pid: number
}

/** Null: the table cannot be read in time, or its structure changes too, so that others cannot read it at all. */
async function hashOf(client: PoolClient, outside: Outside, table: string, own: Own): Promise<RowHash> {
  if (await isLocked(client, table)) return { table, hash: null }
  try {
    return await outside(async (other) => ({ table, hash: await readHash(other, table, own) }))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { table, hash: null }
  }
}

/**
 * Rows are ours where they are marked by a number from that of our transaction to the latest, and not by another
 * transaction that runs. Those that ended before no longer matter: their rows are not seen, or not marked.
 */
async function readHash(client: PoolClient, table: string, { xid, pid }: Own): Promise<string | null> {
  const { rows: seen } = await client.query<{ age: number; others: string[] }>(
    `select age($1::xid) as age, array(select transactionid::text from pg_locks
       where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted and pid <> $2) as others`,
    [xid, pid],
  )
  const { rows } = await client.query<{ hash: string }>(
    `select ${hashing(await identityOf(client, table))} as hash from only ${table} t
     where age(t.xmax) between 0 and $1 and t.xmax <> all ($2::xid[])`,
    [seen[0]?.age, seen[0]?.others],
  )
  return rows[0]?.hash ?? null
}

async function isLocked(client: PoolClient, table: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks where pid = pg_backend_pid() and relation = to_regclass($1) and mode = 'AccessExclusiveLock'`,
    [table],
  )
  return rowCount !== 0
}

/** What tells rows of `t` apart: their primary key, or all of their columns. */
export async function identityOf(client: PoolClient, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = to_regclass($1) and i.indisprimary order by a.attnum`,
    [table],
  )
  return rows.length === 0 ? 't' : `row(${rows.map(({ name }) => `t.${escapeIdentifier(name)}`).join(', ')})`
}

/** The same for the same rows, in whatever order they are read. */
export const hashing = (identity: string): string =>
  `count(*)::text || ':' || coalesce(sum(hashtextextended(${identity}::text, 0)), 0)::text`
