import type { FieldDef, PoolClient } from 'pg'
import Cursor from 'pg-cursor'
import { countingWrites } from '../evidence/effect.ts'
import { maxFetchBytes, resultBytes } from './limits.ts'
import { SqlError } from './faults.ts'
import { withFixedSettings } from './reading-settings.ts'
import { cutConnection } from './session.ts'
import { exactTypes } from './values.ts'

export interface Fetched {
  fields: FieldDef[]
  rows: unknown[][]
  truncated: boolean
  /** Of INSERT, UPDATE, DELETE and MERGE, also inside WITH; null for everything else. */
  rowsAffected: number | null
}

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * Runs one statement by the extended protocol, which takes no second one, and fetches no more than the caps. A write
 * that returns more rows than that has run whole; the rows beyond are read and dropped.
 */
export async function fetchRows(
  client: PoolClient,
  sql: string,
  params: readonly unknown[],
  limits: FetchLimits,
): Promise<Fetched> {
  const run = () => withFixedSettings(client, () => fetchPortions(client, sql, params, limits))
  const { writesInside = [] } = limits
  if (writesInside.length === 0) return run()
  const { result, written } = await countingWrites(client, writesInside, run)
  return { ...result, rowsAffected: result.rowsAffected ?? written }
}

interface FetchLimits {
  maxRows: number
  access: 'read' | 'write'
  /** The tables that a query writes inside WITH. */
  writesInside?: readonly string[]
}

async function fetchPortions(
  client: PoolClient,
  sql: string,
  params: readonly unknown[],
  { maxRows, access }: FetchLimits,
): Promise<Fetched> {
  const cursor = client.query(
    new Cursor<unknown[]>(sql, [...params], { rowMode: 'array', types: exactTypes }),
  )
  const size = watchSize(client)
  const rows: unknown[][] = []
  let bytes = 0
  let count = 0
  let truncated = false
  try {
    for (;;) {
      size.restart()
      const batch = await cursor.read(nextBatch(rows.length, bytes, maxRows))
      bytes += size.received()
      if (batch.length === 0) break
      count += batch.length
      const isFull = rows.length >= maxRows || bytes > resultBytes
      truncated ||= isFull || rows.length + batch.length > maxRows
      if (!isFull) rows.push(...batch.slice(0, maxRows - rows.length))
      // A query is left where it is; a write must come to its end to tell how many rows it changed.
      if (truncated && access === 'read') break
    }
    await cursor.close()
  } catch (error) {
    throw size.isExceeded() ? tooLarge() : error
  } finally {
    size.end()
  }
  const { fields, command, rowCount } = resultOf(cursor)
  // What is fetched in portions is counted by the last portion only; every affected row was returned.
  const rowsAffected = writes.has(command ?? '') ? Math.max(rowCount ?? 0, count) : null
  return { fields, rows, truncated, rowsAffected }
}

/** Small at first, because rows may be large; one more than wanted, to know whether there are more. */
function nextBatch(count: number, bytes: number, maxRows: number): number {
  // The rows beyond the caps are only counted.
  if (count >= maxRows) return 1_000
  const average = count === 0 ? 20_000 : Math.max(1, bytes / count)
  return Math.max(1, Math.min(maxRows + 1 - Math.min(count, maxRows), Math.floor(1_000_000 / average), 1_000))
}

interface CursorResult {
  fields: FieldDef[]
  command: string | null
  rowCount: number | null
}

/** The driver keeps it in a private field. */
function resultOf(cursor: Cursor<unknown[]>): CursorResult {
  // oxlint-disable-next-line no-underscore-dangle
  return (cursor as unknown as { _result: CursorResult })._result
}

/** Counts what arrives, so that one huge value ends the connection and not this process. */
function watchSize(client: PoolClient): {
  restart(): void
  received(): number
  isExceeded(): boolean
  end(): void
} {
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection
  let received = 0
  let isExceeded = false
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= maxFetchBytes || isExceeded) return
    isExceeded = true
    cutConnection(client)
  }
  stream.on('data', count)
  return {
    restart: () => void (received = 0),
    received: () => received,
    isExceeded: () => isExceeded,
    end: () => void stream.off('data', count),
  }
}

function tooLarge(): SqlError {
  return new SqlError(
    `A row is larger than ${maxFetchBytes / 1024 / 1024} MiB. Select fewer or shorter columns.`,
    '54000',
    null,
  )
}
