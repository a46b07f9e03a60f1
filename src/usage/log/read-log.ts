import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { UsageTables } from '../tables.ts'
import { countDays, countHours, countMonths, listCells, type Count } from './count-store.ts'
import { isNarrow, needsRows, type Filter } from './filter.ts'
import { dayMs, lowestId, startOfDay, timeOfId } from './id-time.ts'
import { gather, scan, type LogRow, type IdRange } from './log-store.ts'
import { countSession, sessionRows } from './session-store.ts'

type Db = Kysely<UsageTables>

/** Rows below an id; or a number of rows below the newest. */
export interface Place {
  before: string | undefined
  offset: number
}

/** Runs a query for rows, and makes of them what is wanted. */
export type Read<T> = (query: RawBuilder<LogRow>) => Promise<{ count: number; values: T[] }>

/** Rows that may be skipped over by reading them. More are skipped by the sums of days and hours. */
const fewRows = 2_000

/** More than these are not read for one page: the days of a month show where its rows are. */
const manyRows = 5_000

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
      const rows = await readRows(transaction, filter, counts, place, limit + 1, async (query) => {
        if (!needsRows(filter)) await readInOrder(transaction)
        const { rows: found } = await wanted(query).execute(transaction)
        return { count: found.length, values: found }
      })
      const total = counts.reduce((sum, { matched }) => sum + matched, 0)
      return { rows: rows.slice(0, limit), total, hasMore: rows.length > limit }
    })
}

/** The planner takes every cell for an average one: it would read and sort all rows of a large one for one page. */
async function readInOrder(transaction: Db): Promise<void> {
  await sql`set local enable_bitmapscan = off`.execute(transaction)
}

/** Ranges of time that have something of a filter, newest first. */
export function countRows(db: Db, filter: Filter): Promise<Count[]> {
  return needsRows(filter) ? countSession(db, filter) : countMonths(db, filter)
}

/**
 * The sums show in which months, days and hours a filter has rows, and how many: time without any is never read, and
 * a deep offset costs no more than a shallow one.
 */
export async function readRows<T>(
  db: Db,
  filter: Filter,
  counts: readonly Count[],
  { before, offset }: Place,
  limit: number,
  read: Read<T>,
): Promise<T[]> {
  const values: T[] = []
  let found = 0
  const below = counts.filter(({ from }) => before === undefined || from <= timeOfId(before))
  let { rest, skip } = await skipRows(db, filter, below, offset)
  while (rest[0] && found < limit) {
    const wanted = limit - found
    const taken = take(rest, skip + wanted, before)
    const high = before !== undefined && timeOfId(before) < rest[0].to ? before : lowestId(rest[0].to)
    const { query, reads } = await planFor(db, filter, taken, { high, limit: wanted, offset: skip })
    if (reads > manyRows && isLong(rest[0], dayMs)) {
      const split = await splitFirst(db, filter, rest, countDays)
      const within = split.filter(({ from }) => before === undefined || from <= timeOfId(before))
      ;({ rest, skip } = skipWhole({ rest: within, skip }))
      continue
    }
    const part = await read(query)
    values.push(...part.values)
    found += part.count
    skip = 0
    rest = rest.slice(taken.length)
  }
  return values
}

interface Skipped {
  rest: readonly Count[]
  skip: number
}

const finerCounts = [
  [countDays, dayMs],
  [countHours, dayMs / 24],
] as const

/** Skips rows by their counts: months, then the days of one, then the hours of one. */
async function skipRows(db: Db, filter: Filter, counts: readonly Count[], offset: number): Promise<Skipped> {
  let skipped = skipWhole({ rest: counts, skip: offset })
  for (const [finer, unit] of finerCounts) {
    const [first] = skipped.rest
    if (!first || skipped.skip <= fewRows || needsRows(filter)) return skipped
    if (!isLong(first, unit)) continue
    skipped = skipWhole({ rest: await splitFirst(db, filter, skipped.rest, finer), skip: skipped.skip })
  }
  return skipped
}

const isLong = ({ from, to }: Count, unit: number): boolean => to.getTime() - from.getTime() > unit

async function splitFirst(
  db: Db,
  filter: Filter,
  [first, ...others]: readonly Count[],
  finer: typeof countDays,
): Promise<Count[]> {
  return first ? [...(await finer(db, { ...filter, from: first.from, to: first.to })), ...others] : []
}

function skipWhole({ rest, skip }: Skipped): Skipped {
  const [first, ...others] = rest
  return first && skip >= first.matched
    ? skipWhole({ rest: others, skip: skip - first.matched })
    : { rest, skip }
}

/** Takes as many ranges as are sure to hold the rows. A range that is cut by an id may hold none below it. */
function take(counts: readonly Count[], needed: number, before: string | undefined): Count[] {
  const taken: Count[] = []
  let sure = 0
  for (const count of counts) {
    if (sure >= needed) break
    taken.push(count)
    if (before === undefined || count.to <= timeOfId(before)) sure += count.matched
  }
  return taken
}

interface Plan {
  query: RawBuilder<LogRow>
  /** How many rows it is likely to read. */
  reads: number
}

/** Scans the rows in order, or gathers them from the cells that match the filter: whichever reads fewer. */
async function planFor(
  db: Db,
  filter: Filter,
  taken: readonly Count[],
  place: Omit<IdRange, 'low'>,
): Promise<Plan> {
  const [newest, oldest] = [taken[0], taken.at(-1)]
  const range = { ...place, low: oldest ? lowestId(oldest.from) : place.high }
  if (needsRows(filter)) return { query: sessionRows(filter, range), reads: 0 }
  if (!newest || !oldest || !isNarrow(filter)) return { query: scan(filter, range), reads: 0 }
  const matched = taken.reduce((sum, count) => sum + count.matched, 0)
  const every = taken.reduce((sum, count) => sum + count.all, 0)
  const needed = place.limit + place.offset
  const cells = await listCells(db, {
    ...filter,
    from: startOfDay(oldest.from),
    to: new Date(startOfDay(new Date(newest.to.getTime() - 1)).getTime() + dayMs),
  })
  const gathered = cells.reduce((sum, cell) => sum + Math.min(cell.matched, needed), 0)
  const scanned = Math.min(every, (needed * every) / matched)
  return gathered <= Math.max(fewRows, scanned)
    ? { query: gather(filter, cells, range), reads: gathered }
    : { query: scan(filter, range), reads: scanned }
}
