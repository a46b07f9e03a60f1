import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { clientConfig, sessionTarget, type Target } from './connection.ts'
import { tablesOfMigrations } from './migration-files.ts'

/**
 * The job queue creates and fills its own tables, and the search index is rebuilt from its sources; the list of
 * migrations is in the header.
 */
const madeAgain = ['kernel', 'jobs', 'search']

export interface DumpTable {
  table: string
  columns: string[]
  /** Partitions are created over time, so no migration contains them. */
  partitions?: { schema: string; name: string; bound: string }[]
}

/**
 * A consistent snapshot of all tables, each in PostgreSQL's text format: one row per line, ended by a line `\.`.
 */
export async function* dumpTables(target: Target): AsyncGenerator<string | Buffer> {
  const client = new pg.Client(clientConfig(sessionTarget(target)))
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    for (const each of await listTables(client)) {
      yield `${JSON.stringify(each)}\n`
      yield* rowsOf(client, each)
      yield '\\.\n'
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

function rowsOf(client: pg.Client, { table, columns }: DumpTable): Readable {
  return client.query(copyTo(`copy (select ${quoted(columns)} from ${table}) to stdout`))
}

export function quoted(columns: string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}

/** Tables of the database that are not Signalbox's, such as those of its administrator. */
export async function foreignTables(target: Target): Promise<string[]> {
  const client = new pg.Client(clientConfig(sessionTarget(target)))
  await client.connect()
  try {
    const own = tablesOfMigrations()
    const { rows } = await client.query<{ schema: string; name: string }>(
      `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'f', 'm') and not c.relispartition
         and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' and not n.nspname = any ($1)
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       order by 1, 2`,
      [madeAgain],
    )
    return rows.map(({ schema, name }) => `${schema}.${name}`).filter((table) => !own.includes(table))
  } finally {
    await client.end()
  }
}

/** Signalbox's own tables. Those that others refer to come first, so that they can be filled in this order. */
export async function listTables(client: pg.Client): Promise<DumpTable[]> {
  const { rows } = await client.query<Required<DumpTable> & { refers_to: string[] }>(
    `select c.oid::regclass::text as "table",
            array_agg(a.attname::text order by a.attnum) as columns,
            array(select json_build_object('schema', s.nspname, 'name', p.relname,
                                           'bound', pg_get_expr(p.relpartbound, p.oid))
                  from pg_inherits i join pg_class p on p.oid = i.inhrelid join pg_namespace s on s.oid = p.relnamespace
                  where i.inhparent = c.oid and c.relkind = 'p' order by p.relname) as partitions,
            array(select distinct f.confrelid::regclass::text from pg_constraint f
                  where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as refers_to
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname || '.' || c.relname = any ($1) and not n.nspname = any ($2)
     group by c.oid order by 1`,
    [tablesOfMigrations(), madeAgain],
  )
  const ordered: DumpTable[] = []
  const placed = new Set<string>()
  const place = (row: (typeof rows)[number]): void => {
    if (placed.has(row.table)) return
    placed.add(row.table)
    for (const other of rows) if (row.refers_to.includes(other.table)) place(other)
    const { table, columns, partitions } = row
    ordered.push({ table, columns, ...(partitions.length > 0 && { partitions }) })
  }
  for (const row of rows) place(row)
  return ordered
}
