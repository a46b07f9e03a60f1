import { sql, type Kysely, type RawBuilder } from 'kysely'
import { lowestId, timeOfId } from '#kernel/uuid'
import type { UsageTables } from '../tables.ts'
import { isFew, isNarrow, needsRows, type Filter } from './filter.ts'
import { dayFrom, startOfDay } from './id-time.ts'
import {
  countMonths,
  gather,
  listCells,
  scan,
  type IdRange,
  type LogRow,
  type MonthCount,
} from './log-store.ts'
import { countMatching, sessionRows } from './session-store.ts'

type Db = Kysely<UsageTables>

/** Rows below an id; or a number of rows below the newest. */
export interface Place {
  before: string | undefined
  offset: number
}

/** Reading this many rows one by one from their cells is never slow, whatever a scan would read. */
const fewRows = 2_000

interface Page<T> {
  rows: T[]
  total: number
  hasMore: boolean
}

/** A page of the log, newest first, with the number of all rows; both from one moment. */
export async function readPage(db: Db, filter: Filter, place: Place, limit: number): Promise<Page<LogRow>> {
  return readPageAs(db, filter, place, limit, (query) => query)
}

/** The same with what is wanted of the rows. */
export async function readPageAs<T>(
  db: Db,
  filter: Filter,
  place: Place,
  limit: number,
  wanted: (query: RawBuilder<LogRow>) => RawBuilder<T>,
): Promise<Page<T>> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const counts = await countRows(transaction, filter)
      const query = await pageQuery(transaction, filter, counts, place, limit + 1)
      if (!isFew(filter)) await readInOrder(transaction)
      const rows = query ? (await wanted(query).execute(transaction)).rows : []
      const total = counts.reduce((sum, { matched }) => sum + matched, 0)
      return { rows: rows.slice(0, limit), total, hasMore: rows.length > limit }
    })
}

/** The planner takes every cell for an average one: it would read and sort all rows of a large one for one page. */
async function readInOrder(transaction: Db): Promise<void> {
  await sql`set local enable_bitmapscan = off`.execute(transaction)
}

/** The months that have something of a filter, newest first. */
export function countRows(db: Db, filter: Filter): Promise<MonthCount[]> {
  return needsRows(filter) ? countMatching(db, filter) : countMonths(db, filter)
}

/**
 * The rows of a page: from the newest months that are sure to hold them, so time without any is never read. They are
 * scanned in the order of the log, or gathered from the cells that match the filter: whichever reads fewer.
 */
export async function pageQuery(
  db: Db,
  filter: Filter,
  counts: readonly MonthCount[],
  { before, offset }: Place,
  limit: number,
): Promise<RawBuilder<LogRow> | undefined> {
  const needed = offset + limit
  const taken = take(counts, needed, before)
  const [newest, oldest] = [taken[0], taken.at(-1)]
  if (!newest || !oldest) return undefined
  const high = before !== undefined && timeOfId(before) < newest.to ? before : lowestId(newest.to)
  const range: IdRange = { low: lowestId(oldest.from), high, limit, offset }
  if (isFew(filter)) return sessionRows(filter, range)
  // The indexes of routes and of several calls are in the order of the log.
  if (needsRows(filter) || !isNarrow(filter)) return scan(filter, range)
  // Whole days: the sums of a part of one would be read from its rows.
  const days = { from: startOfDay(oldest.from), to: dayFrom(newest.to) }
  const cells = await listCells(db, { ...filter, ...days })
  const [matched, every] = [sumOf(taken, 'matched'), sumOf(taken, 'all')]
  const gathered = cells.reduce((sum, cell) => sum + Math.min(cell.matched, needed), 0)
  const scanned = Math.min(every, (needed * every) / matched)
  return gathered <= Math.max(fewRows, scanned) ? gather(filter, cells, range) : scan(filter, range)
}

/** A month that is cut by an id may have no row below it. */
function take(counts: readonly MonthCount[], needed: number, before: string | undefined): MonthCount[] {
  const taken: MonthCount[] = []
  let sure = 0
  for (const count of counts) {
    if (sure >= needed) break
    if (before !== undefined && count.from > timeOfId(before)) continue
    taken.push(count)
    if (before === undefined || count.to <= timeOfId(before)) sure += count.matched
  }
  return taken
}

const sumOf = (counts: readonly MonthCount[], field: 'matched' | 'all'): number =>
  counts.reduce((sum, count) => sum + count[field], 0)
