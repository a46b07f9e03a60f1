import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { z } from 'zod'
import { from as copyFrom } from 'pg-copy-streams'
import { StartFault } from '#kernel/errors'
import { clientConfig, sessionTarget, type Target } from './connection.ts'
import { listTables, quoted, type DumpTable } from './dump.ts'

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

/** Fills an empty, migrated database from the lines of a dump, all or nothing. */
export async function fillTables(
  target: Target,
  lines: AsyncIterable<string>,
): Promise<{ tables: number; rows: number }> {
  const client = new pg.Client(clientConfig(sessionTarget(target)))
  await client.connect()
  try {
    await client.query('begin')
    await refuseFilled(client)
    const filled = await fill(client, lines)
    await client.query('commit')
    return filled
  } finally {
    await client.end()
  }
}

async function fill(
  client: pg.Client,
  lines: AsyncIterable<string>,
): Promise<{ tables: number; rows: number }> {
  const known = new Map((await listTables(client)).map((each) => [each.table, each]))
  let tables = 0
  let rows = 0
  let sink: NodeJS.WritableStream | undefined
  let current = ''
  for await (const line of lines) {
    if (sink === undefined) {
      const next = readHeader(line, known)
      await makeReady(client, next)
      sink = client.query(copyFrom(`copy ${next.table} (${quoted(next.columns)}) from stdin`))
      current = next.table
      tables++
    } else if (line === '\\.') {
      sink.end()
      await finished(sink)
      sink = undefined
      await client.query(`alter table ${current} enable trigger user`)
    } else {
      rows++
      if (!sink.write(`${line}\n`)) await once(sink, 'drain')
    }
  }
  if (sink) throw new StartFault('The backup is truncated. Use another copy of the file.')
  return { tables, rows }
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
