import type { PoolClient } from 'pg'
import { hashing, identityOf } from './row-hashes.ts'
import { effectSince, snapshotOf, type Snapshot } from './effect.ts'
import type { Effect, RowHash, TableEffect } from './evidence.ts'

export interface Ran<T> {
  result: T
  before: Snapshot
  effect: Effect
  rewritten: string[]
}

/** Enough to tell that it is not a small table; counting more would take long. */
const maxCounted = 1_000_001

/**
 * Runs statements and says what they did. PostgreSQL does not count the rows that TRUNCATE and DROP take away, and
 * afterwards they are gone: so such statements are taken back, the rows are counted, and they run again.
 */
export async function runForEffect<T>(client: PoolClient, run: () => Promise<T>): Promise<Ran<T>> {
  await client.query('savepoint before_statement')
  const first = await runOnce(client, run)
  const { effect, rewritten } = first
  const suspects = [...effect.dropped, ...(await truncatedOnes(client, rewritten, effect.tables))]
  if (suspects.length === 0) return first
  await client.query('rollback to savepoint before_statement')
  const removed = await countRows(client, suspects)
  const second = await runOnce(client, run)
  const tables = added(second.effect.tables, removed.tables)
  return { ...second, effect: { ...second.effect, tables, rows: removed.rows } }
}

/** Without the rows that TRUNCATE and DROP take away. */
export async function runOnce<T>(client: PoolClient, run: () => Promise<T>): Promise<Ran<T>> {
  const before = await snapshotOf(client, true)
  const result = await run()
  return { result, before, ...(await effectSince(client, before)) }
}

interface Table {
  /** Quoted where needed. */
  full: string
  schema: string
  name: string
}

async function tablesAmong(client: PoolClient, names: readonly string[]): Promise<Table[]> {
  if (names.length === 0) return []
  const { rows } = await client.query<Table>(
    `select given as full, n.nspname as schema, c.relname as name
     from unnest($1::text[]) given join pg_class c on c.oid = to_regclass(given) join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' order by 1`,
    [names],
  )
  return rows
}

/** Tables with a new file whose rows, if any, were all inserted since: PostgreSQL counts from TRUNCATE on. */
async function truncatedOnes(
  client: PoolClient,
  rewritten: readonly string[],
  counted: readonly TableEffect[],
): Promise<string[]> {
  const truncated: string[] = []
  for (const { full, schema, name } of await tablesAmong(client, rewritten)) {
    const since = counted.find((each) => each.schema === schema && each.name === name)
    const expected = (since?.inserted ?? 0) - (since?.deleted ?? 0)
    if (expected < 0) continue
    const { rowCount } = await client.query(`select from only ${full} limit ${expected + 1}`)
    if (rowCount === expected) truncated.push(full)
  }
  return truncated
}

/** Rows taken away by TRUNCATE, beside those that came into the same table afterwards. */
function added(tables: readonly TableEffect[], removed: readonly TableEffect[]): TableEffect[] {
  const isSame = (one: TableEffect, other: TableEffect): boolean =>
    one.schema === other.schema && one.name === other.name
  return [
    ...tables.map((table) => {
      const more = removed.find((each) => isSame(each, table))
      return more ? { ...table, deleted: table.deleted + more.deleted } : table
    }),
    ...removed.filter((each) => !tables.some((table) => isSame(each, table))),
  ]
}

async function countRows(
  client: PoolClient,
  names: readonly string[],
): Promise<{ tables: TableEffect[]; rows: RowHash[] }> {
  const counted: TableEffect[] = []
  const hashes: RowHash[] = []
  for (const { full, schema, name } of await tablesAmong(client, names)) {
    // No row comes or goes between the count and the statement.
    await client.query(`lock table only ${full} in access exclusive mode`)
    const { rows } = await client.query<{ deleted: number; hash: string }>(
      `select count(*)::int as deleted, ${hashing(await identityOf(client, full))} as hash
       from (select * from only ${full} limit ${maxCounted}) t`,
    )
    const { deleted = 0, hash = null } = rows[0] ?? {}
    if (deleted === 0) continue
    counted.push({ schema, name, inserted: 0, updated: 0, deleted })
    // Of more rows than were read, others could be read the next time.
    hashes.push({ table: full, hash: deleted < maxCounted ? hash : null })
  }
  return { tables: counted, rows: hashes }
}
