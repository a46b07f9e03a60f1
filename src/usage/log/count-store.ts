import { sql, type Kysely } from 'kysely'
import type { UsageTables } from '../tables.ts'
import { matchesSums, type Filter } from './filter.ts'
import { dayMs, dayOf } from './id-time.ts'
import { longSums, onDays, onHours } from './spans.ts'

type Db = Kysely<UsageTables>

/** How many requests in a range of time match a filter, and how many there are in the group. */
export interface Count {
  from: Date
  to: Date
  matched: number
  all: number
}

/** The rows of one key, provider, model and kind of end: what the index of the log can go to at once. */
export interface Cell {
  cell: string
  matched: number
}

/** The months that have something of a filter, and what is at the ends of its range; newest first. */
export async function countMonths(db: Db, filter: Filter): Promise<Count[]> {
  const { rows } = await sql<{ since: Date; till: Date } & Counted>`
    select since, till, sum(requests) filter (where ${matchesSums(filter)}) as matched, sum(requests) as every
    from ${longSums(filter)} group by since, till order by since desc`.execute(db)
  return present(rows, ({ since, till }) => ({ from: since, to: till }))
}

export async function countDays(db: Db, filter: Filter): Promise<Count[]> {
  const { rows } = await sql<{ day: string } & Counted>`
    select day::text, sum(requests) filter (where ${matchesSums(filter)}) as matched, sum(requests) as every
    from usage.daily where ${onDays(filter)} group by day order by day desc`.execute(db)
  return present(rows, ({ day }) => ({ from: dayOf(day), to: new Date(dayOf(day).getTime() + dayMs) }))
}

export async function countHours(db: Db, filter: Filter): Promise<Count[]> {
  const { rows } = await sql<{ hour: Date } & Counted>`
    select hour, sum(requests) filter (where ${matchesSums(filter)}) as matched, sum(requests) as every
    from usage.hourly where ${onHours(filter)} group by hour order by hour desc`.execute(db)
  return present(rows, ({ hour }) => ({ from: hour, to: new Date(hour.getTime() + dayMs / 24) }))
}

interface Counted {
  matched: string | null
  every: string
}

function present<Row extends Counted>(
  rows: readonly Row[],
  rangeOf: (row: Row) => { from: Date; to: Date },
): Count[] {
  return rows
    .filter((row) => Number(row.matched) > 0)
    .map((row) => ({ ...rangeOf(row), matched: Number(row.matched), all: Number(row.every) }))
}

/** Where a filter has rows in its time. */
export async function listCells(db: Db, filter: Filter): Promise<Cell[]> {
  const { rows } = await sql<{ cell: string; matched: string }>`
    select usage.cell(group_id, api_key_id, provider, model, is_error) as cell, sum(requests) as matched
    from ${longSums(filter)} where ${matchesSums(filter)} group by 1`.execute(db)
  return rows.map(({ cell, matched }) => ({ cell, matched: Number(matched) }))
}
