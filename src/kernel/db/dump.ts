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

/** Rows of one table that are read together, and what stands around them in the dump. */
export interface DumpPart {
  before: string
  query: string
  after: string
}

/** A consistent snapshot of all tables. Its parts can be read at the same time, by one connection each. */
export interface Dump {
  parts: readonly DumpPart[]
  read(part: DumpPart): AsyncGenerator<string | Buffer>
  close(): Promise<void>
}

/** What one connection reads in one go: large enough to begin seldom, small enough that all have something to do. */
const partBytes = 64 * 1024 * 1024

/** Each table in PostgreSQL's text format: a line about it, one line per row, ended by a line `\\.`. */
export async function* dumpTables(target: Target): AsyncGenerator<string | Buffer> {
  const dump = await openDump(target, 1)
  try {
    for (const part of dump.parts) yield* dump.read(part)
  } finally {
    await dump.close()
  }
}

export async function openDump(target: Target, connections: number, bytesPerPart = partBytes): Promise<Dump> {
  const clients = Array.from(
    { length: connections },
    () => new pg.Client(clientConfig(sessionTarget(target))),
  )
  // A connection that breaks while it waits for its next part fails with that part.
  for (const client of clients) client.on('error', () => undefined)
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const [first = new pg.Client(), ...others] = clients
    await beginSnapshot(first, others)
    const parts: DumpPart[] = []
    for (const table of await listTables(first)) parts.push(...(await partsOf(first, table, bytesPerPart)))
    return { parts, read: reader(clients), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The first connection exports its view of the database, and the others take it. */
async function beginSnapshot(first: pg.Client, others: pg.Client[]): Promise<void> {
  const begin = 'begin isolation level repeatable read read only'
  const partitioned = await partitionedTables(first)
  await first.query(begin)
  // Before the view is fixed: a partition that is in it must not be dropped until it is read.
  if (partitioned.length > 0) await first.query(`lock table ${partitioned.join(', ')} in access share mode`)
  const { rows } = await first.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot')
  for (const client of others) {
    await client.query(begin)
    await client.query(`set transaction snapshot ${pg.escapeLiteral(rows[0]?.snapshot ?? '')}`)
  }
}

async function partitionedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select oid::regclass::text as "table" from pg_class
     where relkind = 'p' and not relispartition and oid::regclass::text = any ($1) order by 1`,
    [tablesOfMigrations()],
  )
  return rows.map(({ table }) => table)
}

interface StoredTable {
  name: string
  pages: number
  bytes: number
}

/** A table, or each of its partitions, in ranges of pages. */
async function partsOf(client: pg.Client, table: DumpTable, bytesPerPart: number): Promise<DumpPart[]> {
  const { rows } = await client.query<StoredTable>(
    `select oid::regclass::text as name, pg_table_size(oid)::float8 as bytes,
       (pg_relation_size(oid) / current_setting('block_size')::int)::float8 as pages
     from pg_class where relkind = 'r'
       and (oid = $1::regclass or oid in (select relid from pg_partition_tree($1::regclass)))
     order by relname`,
    [table.table],
  )
  const columns = quoted(table.columns)
  const queries = rows.flatMap((stored) =>
    rangesOf(stored, bytesPerPart).map(
      (range) => `copy (select ${columns} from only ${stored.name}${range}) to stdout`,
    ),
  )
  // A partitioned table may have no partition.
  if (queries.length === 0) queries.push(`copy (select ${columns} from ${table.table}) to stdout`)
  return queries.map((query, index) => ({
    before: index === 0 ? `${JSON.stringify(table)}\n` : '',
    query,
    after: index === queries.length - 1 ? '\\.\n' : '',
  }))
}

function rangesOf({ pages, bytes }: StoredTable, bytesPerPart: number): string[] {
  const count = Math.max(1, Math.min(pages, Math.ceil(bytes / bytesPerPart)))
  if (count === 1) return ['']
  const at = (index: number): string => `'(${Math.floor((index * pages) / count)},0)'`
  return Array.from(
    { length: count },
    (_, index) =>
      ` where ctid >= ${at(index)}::tid${index === count - 1 ? '' : ` and ctid < ${at(index + 1)}::tid`}`,
  )
}

/** Reads parts with the connections that are free; who finds none waits. */
function reader(clients: pg.Client[]): Dump['read'] {
  const free = [...clients]
  const waiting: ((client: pg.Client) => void)[] = []
  const take = (): pg.Client | Promise<pg.Client> =>
    free.pop() ?? new Promise((resolve) => waiting.push(resolve))
  return async function* read({ before, query, after }) {
    const client = await take()
    if (before !== '') yield before
    yield* client.query(copyTo(query)) as Readable
    const next = waiting.shift()
    if (next) next(client)
    else free.push(client)
    if (after !== '') yield after
  }
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
