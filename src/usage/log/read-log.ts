import type { Kysely } from 'kysely'
import type { UsageTables } from '../tables.ts'
import { countDays, countHours, listCells, type Count } from './count-store.ts'
import { isNarrow, type Filter } from './filter.ts'
import { lowestId, timeOfId } from './id-time.ts'
import { gather, scan, type LogRow, type Stretch } from './log-store.ts'

type Db = Kysely<UsageTables>

/** Rows below an id; or so many rows below the newest. */
export interface Place {
  before: string | undefined
  offset: number
}

/** Rows that may be passed over by reading them. More are skipped by the sums of their hours. */
const fewRows = 2_000

/** A page of the log, newest first, with the number of all rows; both from one moment. */
export async function readPage(
  db: Db,
  filter: Filter,
  place: Place,
  limit: number,
): Promise<{ rows: LogRow[]; total: number; hasMore: boolean }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const days = await countDays(transaction, filter)
      const rows = await readRows(transaction, filter, days, place, limit + 1)
      const total = days.reduce((sum, { matched }) => sum + matched, 0)
      return { rows: rows.slice(0, limit), total, hasMore: rows.length > limit }
    })
}

/**
 * The sums know on which days a filter has rows, and how many: days without any are never looked at, and a deep offset
 * costs no more than a shallow one.
 */
export async function readRows(
  db: Db,
  filter: Filter,
  days: readonly Count[],
  { before, offset }: Place,
  limit: number,
): Promise<LogRow[]> {
  const rows: LogRow[] = []
  let skip = offset
  let rest = days.filter((day) => before === undefined || day.from <= timeOfId(before))
  for (; rest[0] && skip >= rest[0].matched && before === undefined; rest = rest.slice(1))
    skip -= rest[0].matched
  while (rest[0] && rows.length < limit) {
    const wanted = limit - rows.length
    const taken = take(rest, skip + wanted, before)
    const start = await startIn(db, filter, rest[0], skip)
    const high = before !== undefined && timeOfId(before) < start.to ? before : lowestId(start.to)
    const found = await fetch(db, filter, taken, { high, limit: wanted, offset: start.skip })
    rows.push(...found)
    skip = 0
    rest = rest.slice(taken.length)
  }
  return rows
}

/** As many days as surely hold the rows. A day that is cut by an id may hold none below it. */
function take(days: readonly Count[], needed: number, before: string | undefined): Count[] {
  const taken: Count[] = []
  let sure = 0
  for (const day of days) {
    if (sure >= needed) break
    taken.push(day)
    if (before === undefined || day.to <= timeOfId(before)) sure += day.matched
  }
  return taken
}

/** Where in its first day a page begins, to the hour. */
async function startIn(
  db: Db,
  filter: Filter,
  day: Count,
  skip: number,
): Promise<{ to: Date; skip: number }> {
  if (skip <= fewRows) return { to: day.to, skip }
  let left = skip
  for (const hour of await countHours(db, { ...filter, from: day.from, to: day.to })) {
    if (left < hour.matched) return { to: hour.to, skip: left }
    left -= hour.matched
  }
  return { to: day.from, skip: 0 }
}

async function fetch(
  db: Db,
  filter: Filter,
  taken: readonly Count[],
  place: Omit<Stretch, 'low'>,
): Promise<LogRow[]> {
  const [newest, oldest] = [taken[0], taken.at(-1)]
  if (!newest || !oldest) return []
  const stretch = { ...place, low: lowestId(oldest.from) }
  if (!isNarrow(filter)) return scan(db, filter, stretch)
  const matched = taken.reduce((sum, day) => sum + day.matched, 0)
  const every = taken.reduce((sum, day) => sum + day.all, 0)
  const needed = place.limit + place.offset
  const scanned = Math.min(every, (needed * every) / matched)
  const cells = await listCells(db, { ...filter, from: oldest.from, to: newest.to })
  const gathered = cells.reduce((sum, cell) => sum + Math.min(cell.matched, needed), 0)
  return gathered <= Math.max(fewRows, scanned)
    ? gather(db, filter, cells, stretch)
    : scan(db, filter, stretch)
}
