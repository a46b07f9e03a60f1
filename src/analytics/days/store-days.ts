import type { Queryable } from '../queries/query.ts'
import { recordBytes, type Kind } from './read-days.ts'

/** So many days per statement. */
const portion = 100

/** Packs the days before today that changed. Returns how many there were. */
export async function storeDays(db: Queryable): Promise<number> {
  let stored = 0
  for (const kind of Object.keys(recordBytes) as Kind[])
    for (let count = portion; count === portion; stored += count) count = await storePortion(db, kind)
  return stored
}

/**
 * One statement, so one view of the data: it forgets only the changes that it has packed. A change that is committed
 * while it runs stays marked.
 */
async function storePortion(db: Queryable, kind: Kind): Promise<number> {
  const { rows } = await db.query<{ days: number }>(
    `with chosen as materialized (
       select distinct group_id, day from analytics.changed_days
       where kind = $1 and day < analytics.day_of(now()) limit ${portion}
     ), forgotten as (
       delete from analytics.changed_days
       where kind = $1 and (group_id, day) in (select group_id, day from chosen)
     ), stored as (
       insert into analytics.day_columns (group_id, kind, day, services, environments, count, records)
       select group_id, $1, day, coalesce(services, '{}'), coalesce(environments, '{}'), count, coalesce(records, '')
       from chosen, analytics.pack_${kind}(group_id, day)
       where exists (select from access.groups where id = group_id)
       on conflict (group_id, kind, day) do update set services = excluded.services,
         environments = excluded.environments, count = excluded.count, records = excluded.records,
         version = excluded.version
     )
     select count(*)::int as days from chosen`,
    [kind],
  )
  return rows[0]?.days ?? 0
}
