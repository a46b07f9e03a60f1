import type { Client } from 'pg'

/** What can be seen of a session's transaction, to compare before and after a statement. */
export interface Seen {
  /** `relation mode`, by the IDs of relations. */
  locks: Map<string, { oid: string; mode: string }>
  files: Map<string, string>
  scans: Map<string, number>
  indexes: Map<string, number>
}

interface Row {
  kind: 'lock' | 'file' | 'scan' | 'index'
  oid: string
  value: string
}

const look = `
  select 'lock' as kind, l.relation::text as oid, l.mode as value from pg_locks l
    where l.pid = pg_backend_pid() and l.locktype = 'relation' and l.granted and l.mode <> 'AccessShareLock'
  union all select 'file', c.oid::text, c.relfilenode::text from pg_class c where c.relkind in ('r', 'm') and c.oid >= 16384
  union all select 'scan', s.relid::text, s.seq_scan::text from pg_stat_xact_user_tables s where s.seq_scan > 0
  union all select 'index', i.indrelid::text, count(*)::text from pg_index i where i.indrelid >= 16384 group by 2`

export async function seenBy(client: Client): Promise<Seen> {
  const { rows } = await client.query<Row>(look)
  const of = (kind: Row['kind']): Row[] => rows.filter((row) => row.kind === kind)
  return {
    locks: new Map(of('lock').map(({ oid, value }) => [`${oid} ${value}`, { oid, mode: value }])),
    files: new Map(of('file').map(({ oid, value }) => [oid, value])),
    scans: new Map(of('scan').map(({ oid, value }) => [oid, Number(value)])),
    indexes: new Map(of('index').map(({ oid, value }) => [oid, Number(value)])),
  }
}

/** The tables that were there before the trial: only those exist in the real database too. */
export async function tablesOf(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ oid: string; name: string }>(
    `select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm', 'v', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  )
  return new Map(rows.map(({ oid, name }) => [oid, name]))
}

export interface Difference {
  locks: { relation: string; mode: string }[]
  rewritten: string[]
  scanned: string[]
  indexed: string[]
}

/** What a statement did between two looks, to the tables of the real database. */
export function differenceOf(tables: ReadonlyMap<string, string>, before: Seen, after: Seen): Difference {
  const named = (oids: Iterable<string>): string[] => [...oids].flatMap((oid) => tables.get(oid) ?? []).sort()
  const grown = (old: Map<string, number>, now: Map<string, number>): string[] =>
    named([...now].filter(([oid, count]) => count > (old.get(oid) ?? 0)).map(([oid]) => oid))
  return {
    locks: [...after.locks].flatMap(([id, { oid, mode }]) => {
      const relation = tables.get(oid)
      if (relation === undefined || before.locks.has(id)) return []
      return [{ relation, mode: mode.replace(/Lock$/, '') }]
    }),
    rewritten: named(
      [...before.files].filter(([oid, file]) => (after.files.get(oid) ?? file) !== file).map(([oid]) => oid),
    ),
    scanned: grown(before.scans, after.scans),
    indexed: grown(before.indexes, after.indexes),
  }
}
