import { sql, type Kysely } from 'kysely'
import type { UsageTables } from '../tables.ts'
import { ofSums, onDays, onHours, type Filter } from './filter.ts'
import { dayMs, dayOf } from './id-time.ts'

type Db = Kysely<UsageTables>

/** How many requests of a stretch of time a filter wants, and how many there are in the group. */
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

/** The days that have something of a filter, newest first. */
export async function countDays(db: Db, filter: Filter): Promise<Count[]> {
  const { rows } = await sql<{ day: string; matched: string | null; every: string }>`
    select day::text, sum(requests) filter (where ${ofSums(filter)}) as matched, sum(requests) as every
    from usage.daily where ${onDays(filter)} group by day order by day desc`.execute(db)
  return rows.map((row) => count(dayOf(row.day), dayMs, row)).filter(({ matched }) => matched > 0)
}

/** The same by hours; the filter says from when to when. */
export async function countHours(db: Db, filter: Filter): Promise<Count[]> {
  const { rows } = await sql<{ hour: Date; matched: string | null; every: string }>`
    select hour, sum(requests) filter (where ${ofSums(filter)}) as matched, sum(requests) as every
    from usage.hourly where ${onHours(filter)} group by hour order by hour desc`.execute(db)
  return rows.map((row) => count(row.hour, dayMs / 24, row)).filter(({ matched }) => matched > 0)
}

function count(from: Date, width: number, row: { matched: string | null; every: string }): Count {
  return {
    from,
    to: new Date(from.getTime() + width),
    matched: Number(row.matched ?? 0),
    all: Number(row.every),
  }
}

/** Where a filter has rows on some days. */
export async function listCells(db: Db, filter: Filter): Promise<Cell[]> {
  const { rows } = await sql<{ cell: string; matched: string }>`
    select usage.cell(group_id, api_key_id, provider, model, is_error) as cell, sum(requests) as matched
    from usage.daily where ${onDays(filter)} and ${ofSums(filter)} group by 1`.execute(db)
  return rows.map(({ cell, matched }) => ({ cell, matched: Number(matched) }))
}
