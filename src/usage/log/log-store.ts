import { sql, type Kysely, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { PriceRow } from '../row.ts'
import type { UsageTables } from '../tables.ts'
import { matchesLog, matchesSums, type Filter } from './filter.ts'
import { longSums } from './spans.ts'

type Db = Kysely<UsageTables>
export type LogRow = Selectable<UsageTables['usage.usage_logs']>

/** How many requests in a month, or in a part of one, match a filter, and how many there are in the group. */
export interface MonthCount {
  from: Date
  to: Date
  matched: number
  all: number
}

/** The months that have something of a filter, and what is at the ends of its range; newest first. */
export async function countMonths(db: Db, filter: Filter): Promise<MonthCount[]> {
  const { rows } = await sql<{ since: Date; till: Date; matched: string | null; every: string }>`
    select since, till, sum(requests) filter (where ${matchesSums(filter)}) as matched, sum(requests) as every
    from ${longSums(filter)} group by since, till order by since desc`.execute(db)
  return rows
    .map(({ since, till, matched, every }) => ({
      from: since,
      to: till,
      matched: Number(matched),
      all: Number(every),
    }))
    .filter(({ matched }) => matched > 0)
}

/** The rows of one key, provider, model and kind of end: what the index of the log can go to at once. */
export interface Cell {
  cell: string
  matched: number
}

/** Where a filter has rows in its time. */
export async function listCells(db: Db, filter: Filter): Promise<Cell[]> {
  const { rows } = await sql<{ cell: string; matched: string }>`
    select usage.cell(group_id, api_key_id, provider, model, is_error) as cell, sum(requests) as matched
    from ${longSums(filter)} where ${matchesSums(filter)} group by 1`.execute(db)
  return rows.map(({ cell, matched }) => ({ cell, matched: Number(matched) }))
}

/** A range of log ids: ids from `low` up to, and without, `high`. */
export interface IdRange {
  low: string
  high: string
  limit: number
  offset: number
}

/** Newest first, by the order in which the group's rows lie: good where the filter lets most of them through. */
export function scan(filter: Filter, range: IdRange): RawBuilder<LogRow> {
  return sql<LogRow>`
    select * from usage.usage_logs
    where group_id = ${filter.groupId} and ${within(range)} and ${matchesLog(filter)}
    order by id desc limit ${range.limit} offset ${range.offset}`
}

/** Newest first, put together from the cells that are known to have some: good where there are few. */
export function gather(filter: Filter, cells: readonly Cell[], range: IdRange): RawBuilder<LogRow> {
  return sql<LogRow>`
    select found.* from unnest(${cells.map(({ cell }) => cell)}::bigint[]) as asked (cell)
    cross join lateral (
      select * from usage.usage_logs
      where usage.cell(group_id, api_key_id, provider, model, status_code >= 400) = asked.cell
        and group_id = ${filter.groupId} and ${within(range)} and ${matchesLog(filter)}
      order by id desc limit ${range.limit + range.offset}
    ) as found
    order by id desc limit ${range.limit} offset ${range.offset}`
}

function within({ low, high }: IdRange): RawBuilder<boolean> {
  return sql<boolean>`id >= ${low}::uuid and id < ${high}::uuid`
}

export async function findRow(db: Db, groupId: string, id: string): Promise<LogRow | undefined> {
  return db
    .selectFrom('usage.usage_logs')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The prices that a request was priced by. */
export async function findPrices(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, PriceRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('usage.model_pricing')
    .selectAll()
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ created_by: _by, created_at: _at, ...price }) => [
      price.id,
      {
        ...price,
        effective_from: price.effective_from.toISOString(),
        effective_to: price.effective_to?.toISOString() ?? null,
      },
    ]),
  )
}
