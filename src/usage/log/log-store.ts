import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely'
import type { PriceRow } from '../row.ts'
import type { UsageTables } from '../tables.ts'
import type { Cell } from './count-store.ts'
import { matchesLog, type Filter } from './filter.ts'

type Db = Kysely<UsageTables>
export type LogRow = Selectable<UsageTables['usage.usage_logs']>

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

/** The price that a request was priced by. */
export async function findPrice(db: Db, id: string): Promise<PriceRow | undefined> {
  const row = await db.selectFrom('usage.model_pricing').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { created_by: _by, created_at: _at, ...price } = row
  return {
    ...price,
    effective_from: row.effective_from.toISOString(),
    effective_to: row.effective_to?.toISOString() ?? null,
  }
}
