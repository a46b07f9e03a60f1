import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { z } from 'zod'
import { from as copyFrom } from 'pg-copy-streams'
import { StartFault } from '#kernel/errors'
import { clientConfig, sessionTarget, type Target } from './connection.ts'
import { listTables, quoted, type DumpTable } from './dump.ts'
import type { Section } from './sections.ts'

/**
 * What a backup may say about a table. A backup is data: names are compared with what the migrations made, and of a
 * partition's bound only its two ids are taken over.
 */
const tableHeader = z.object({
  table: z.string(),
  columns: z.array(z.string()).min(1),
  partitions: z.array(z.object({ schema: z.string(), name: z.string(), bound: z.string() })).default([]),
})
type TableHeader = z.infer<typeof tableHeader>

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const partitionBound = new RegExp(`^FOR VALUES FROM \\('(${uuid})'\\) TO \\('(${uuid})'\\)$`)

/** From here on the indexes of a table are made at once, behind its rows. */
const largeBytes = 4 * 1024 * 1024

/** Fills an empty, migrated database from a dump, all or nothing. */
export async function fillTables(
  target: Target,
  sections: AsyncIterable<Section>,
): Promise<{ tables: number; rows: number }> {
  const client = new pg.Client(clientConfig(sessionTarget(target)))
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`set local maintenance_work_mem = '256MB'`)
    await refuseFilled(client)
    const filled = await fill(client, sections)
    await client.query('commit')
    return filled
  } finally {
    await client.end()
  }
}

async function fill(
  client: pg.Client,
  sections: AsyncIterable<Section>,
): Promise<{ tables: number; rows: number }> {
  const known = new Map((await listTables(client)).map((each) => [each.table, each]))
  let tables = 0
  let rows = 0
  for await (const { title, body } of sections) {
    const header = readHeader(title, known)
    const { table } = header
    const { first, rest } = await readFirst(body)
    const indexes = rest ? await takeIndexes(client, table) : []
    await makeReady(client, header)
    const sink = client.query(copyFrom(`copy ${table} (${quoted(header.columns)}) from stdin`))
    await pipeline(Readable.from(joined(first, rest), { objectMode: false }), sink)
    rows += sink.rowCount
    tables++
    for (const index of indexes) await client.query(index)
    await client.query(`alter table ${table} enable trigger user`)
  }
  return { tables, rows }
}

/** Whether a table is large is known when more than some of it has come. */
async function readFirst(
  body: AsyncIterable<Buffer>,
): Promise<{ first: Buffer[]; rest: AsyncIterable<Buffer> | undefined }> {
  const pieces = body[Symbol.asyncIterator]()
  const first: Buffer[] = []
  for (let bytes = 0; bytes < largeBytes;) {
    const { done, value } = await pieces.next()
    if (done) return { first, rest: undefined }
    bytes += value.length
    first.push(value)
  }
  return { first, rest: { [Symbol.asyncIterator]: () => pieces } }
}

async function* joined(first: Buffer[], rest: AsyncIterable<Buffer> | undefined): AsyncGenerator<Buffer> {
  yield* first
  if (rest) yield* rest
}

/**
 * Takes away the indexes of an empty table that no constraint needs; returns the statements that make them. To make one
 * for all rows costs a fraction of adding each row to it, and PostgreSQL does it with several processes.
 */
async function takeIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  // Of a partitioned table PostgreSQL writes the definition without its partitions.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

/** What triggers add is in the dump already; partitions that no migration makes are made first. */
async function makeReady(client: pg.Client, { table, partitions }: TableHeader): Promise<void> {
  for (const { schema, name, bound } of partitions) {
    const [, from, to] = partitionBound.exec(bound) ?? []
    if (from === undefined || to === undefined || !`${schema}.${name}`.startsWith(`${table}_`))
      throw new StartFault(`The backup describes a partition of ${table} in an unknown way: ${bound}`)
    const partition = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
    await client.query(
      `create table if not exists ${partition} partition of ${table} for values from ('${from}') to ('${to}')`,
    )
  }
  await client.query(`alter table ${table} disable trigger user`)
}

/** A table as the file names it: one that the migrations made, with columns that it has. */
function readHeader(line: string, known: ReadonlyMap<string, DumpTable>): TableHeader {
  const header = tableHeader.safeParse(parseJson(line))
  if (!header.success) throw new StartFault(`The backup has a damaged line: ${line.slice(0, 200)}`)
  const { table, columns } = header.data
  const own = known.get(table)
  if (!own) throw new StartFault(`The backup has the table ${table}, which this Signalbox does not have.`)
  const strange = columns.find((column) => !own.columns.includes(column))
  if (strange !== undefined)
    throw new StartFault(
      `The backup has the column ${strange} in ${table}, which this Signalbox does not have.`,
    )
  return header.data
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function refuseFilled(client: pg.Client): Promise<void> {
  for (const { table } of await listTables(client)) {
    const { rowCount } = await client.query(`select 1 from ${table} limit 1`)
    if (rowCount)
      throw new StartFault(
        `The database is not empty (${table} has rows). Restore into a new DATA_DIR or an empty database.`,
      )
  }
}
