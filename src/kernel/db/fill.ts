import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartFault } from '#kernel/errors'
import { clientConfig, type Target } from './connection.ts'
import { listTables, quoted, type DumpTable } from './dump.ts'

/** Fills an empty, migrated database from the lines of a dump, all or nothing. */
export async function fillTables(
  target: Target,
  lines: AsyncIterable<string>,
): Promise<{ tables: number; rows: number }> {
  const client = new pg.Client(clientConfig(target))
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
      const next = JSON.parse(line) as DumpTable
      if (!known.has(next.table))
        throw new StartFault(
          `The backup contains ${next.table}, which this version of Signalbox does not have.`,
        )
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

/** Triggers are off, since the dump already contains what they add; partitions are created first. */
async function makeReady(client: pg.Client, { table, partitions = [] }: DumpTable): Promise<void> {
  for (const { schema, name, bound } of partitions) {
    // The text comes from a file: only the bounds of a partition are accepted.
    if (!/^(DEFAULT|FOR VALUES [^;]+)$/.test(bound))
      throw new StartFault(`The backup describes a partition of ${table} in an unknown way: ${bound}`)
    const part = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
    await client.query(`create table if not exists ${part} partition of ${table} ${bound}`)
  }
  await client.query(`alter table ${table} disable trigger user`)
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
