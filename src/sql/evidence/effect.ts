import type { PoolClient } from 'pg'
import type { Effect, TableEffect } from './evidence.ts'

/** The relations of a database as they are now, to tell later what changed. */
export interface Snapshot {
  /** Null: only rows are counted. */
  relations: ReadonlyMap<string, Relation> | null
  counted: readonly TableEffect[]
}

interface Relation {
  oid: string
  name: string
  /** Changes when the table is rewritten; null for what has no file. */
  file: string
  /** Columns, types and defaults, in a form that only says whether something changed. */
  shape: string
}

/** Not of the catalogs, not temporary, not of TOAST. */
const relationsNow = `
  select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as name, c.relfilenode::text as file,
    concat_ws(' ', c.relname, n.nspname, c.relowner, c.relacl::text, c.relrowsecurity, c.relchecks, c.relhastriggers,
      c.reloptions::text,
      (select string_agg(concat_ws(',', a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.atthasdef, a.attisdropped), ';' order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0),
      (select string_agg(conname || pg_get_constraintdef(oid), ';' order by oid) from pg_constraint k where k.conrelid = c.oid)
    ) as shape
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and n.nspname !~ '^pg_(temp|toast_temp)_'
  limit 20000`

/** Includes earlier transactions of the connection that PostgreSQL has not yet added to its statistics. */
const countsNow = `
  select schemaname as schema, relname as name, n_tup_ins::float8 as inserted, n_tup_upd::float8 as updated, n_tup_del::float8 as deleted
  from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0 order by 1, 2`

export async function snapshotOf(client: PoolClient, withRelations: boolean): Promise<Snapshot> {
  const { rows: counted } = await client.query<TableEffect>(countsNow)
  return { counted, relations: withRelations ? await relationsOf(client) : null }
}

async function relationsOf(client: PoolClient): Promise<ReadonlyMap<string, Relation>> {
  const { rows } = await client.query<Relation>(relationsNow)
  return new Map(rows.map((row) => [row.oid, row]))
}

/** What this transaction did since the snapshot: rows in every table, and relations that came, went or changed. */
export async function effectSince(
  client: PoolClient,
  before: Snapshot,
): Promise<{ effect: Effect; rewritten: string[] }> {
  const { rows: counted } = await client.query<TableEffect>(countsNow)
  const tables = changedRows(before.counted, counted)
  if (before.relations === null)
    return { effect: { tables, created: [], dropped: [], altered: [] }, rewritten: [] }
  const { rewritten, ...changes } = changesOf(before.relations, await relationsOf(client))
  return { effect: { tables, ...changes }, rewritten }
}

/**
 * Rows that a statement writes inside WITH: PostgreSQL reports only what its last part does. Counted in the tables that
 * it names, so without cascades; where those are parents of partitions, in all tables.
 */
export async function countingWrites<T>(
  client: PoolClient,
  names: readonly string[],
  run: () => Promise<T>,
): Promise<{ result: T; written: number }> {
  const { rows: before } = await client.query<TableEffect>(countsNow)
  const result = await run()
  const { rows: after } = await client.query<TableEffect>(countsNow)
  const changed = changedRows(before, after)
  const named = changed.filter(({ name }) => names.includes(name))
  const written = (named.length > 0 ? named : changed).reduce(
    (sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted,
    0,
  )
  return { result, written }
}

function changedRows(before: readonly TableEffect[], after: readonly TableEffect[]): TableEffect[] {
  return after.flatMap((now) => {
    const old = before.find(({ schema, name }) => schema === now.schema && name === now.name)
    const change = {
      ...now,
      inserted: now.inserted - (old?.inserted ?? 0),
      updated: now.updated - (old?.updated ?? 0),
      deleted: now.deleted - (old?.deleted ?? 0),
    }
    return change.inserted + change.updated + change.deleted > 0 ? [change] : []
  })
}

function changesOf(
  before: ReadonlyMap<string, Relation>,
  after: ReadonlyMap<string, Relation>,
): Omit<Effect & { rewritten: string[] }, 'tables'> {
  const names = (list: Iterable<Relation>): string[] => [...new Set([...list].map(({ name }) => name))].sort()
  const both = [...after.values()].flatMap((now) => {
    const old = before.get(now.oid)
    return old ? [{ old, now }] : []
  })
  return {
    created: names([...after.values()].filter(({ oid }) => !before.has(oid))),
    dropped: names([...before.values()].filter(({ oid }) => !after.has(oid))),
    altered: names(both.filter(({ old, now }) => old.shape !== now.shape).map(({ old }) => old)),
    rewritten: names(both.filter(({ old, now }) => old.file !== now.file).map(({ old }) => old)),
  }
}

/** Whether an effect is the expected one: the same rows in the same tables, and the same relations. */
export function isSameEffect(found: Effect, expected: Effect): boolean {
  return canonical(found) === canonical(expected) && hasRows(found, expected)
}

/** A hash that could be made for the approval and cannot be made now is a difference too. */
function hasRows({ rows: found = [] }: Effect, { rows: expected = [] }: Effect): boolean {
  return expected.every(
    ({ table, hash }) => hash === null || found.some((each) => each.table === table && each.hash === hash),
  )
}

function canonical({ tables, created, dropped, altered }: Effect): string {
  const counted = tables
    .map(({ schema, name, inserted, updated, deleted }) =>
      [schema, name, inserted, updated, deleted].join('\u0000'),
    )
    .sort()
  return JSON.stringify([counted, created, dropped, altered])
}
