import { BoundedCache } from '#kernel/cache'
import type { Queryable } from '../queries/query.ts'
import type { Span } from './read-days.ts'

/** A day of a time zone. */
export interface ZoneDay {
  date: string
  /** Its first millisecond, also before the beginning of a period that begins within it. */
  start: number
  /** What its clocks are ahead of UTC, in milliseconds; from `changesAt` on the other. */
  offset: number
  changesAt: number
  laterOffset: number
}

interface Row {
  date: string
  start: number
  offset: number
  changes_at: number | null
  later_offset: number
}

const quarterMs = 900_000
const maxKept = 50

/** The days of a period follow from the quarters of an hour in which it begins and ends. */
const kept = new BoundedCache<string, ZoneDay[]>('analytics_zone_days', maxKept)

export async function zoneDays(db: Queryable, span: Span, tz: string): Promise<ZoneDay[]> {
  const key = `${tz} ${Math.floor(span.from / quarterMs)} ${Math.ceil(span.to / quarterMs)}`
  const known = kept.get(key)
  if (known) return known
  const days = await readZoneDays(db, span, tz)
  kept.set(key, days)
  return days
}

/**
 * The days of a period on the clocks of a zone, with what these are ahead of UTC. Offsets of all zones since 1970
 * change at quarters of an hour.
 */
async function readZoneDays(db: Queryable, { from, to }: Span, tz: string): Promise<ZoneDay[]> {
  const { rows } = await db.query<Row>(
    `with days as (
       select day, day at time zone $3 as start, (day + interval '1 day') at time zone $3 as "end"
       from generate_series(date_trunc('day', $1::timestamptz at time zone $3),
         ($2::timestamptz at time zone $3) - interval '1 microsecond', interval '1 day') as day
     ), ahead as (
       select *, start at time zone $3 - start at time zone 'UTC' as early,
         "end" at time zone $3 - "end" at time zone 'UTC' as late
       from days
     )
     select to_char(day, 'YYYY-MM-DD') as date, extract(epoch from start)::float8 * 1000 as start,
       extract(epoch from early)::float8 * 1000 as offset, extract(epoch from late)::float8 * 1000 as later_offset,
       case when early <> late then (
         select extract(epoch from min(quarter))::float8 * 1000
         from generate_series(start, "end", interval '15 minutes') as quarter
         where quarter at time zone $3 - quarter at time zone 'UTC' <> early
       ) end as changes_at
     from ahead order by day`,
    [new Date(from), new Date(to), tz],
  )
  return rows.map(({ changes_at, later_offset, ...day }) => ({
    ...day,
    changesAt: changes_at ?? Infinity,
    laterOffset: later_offset,
  }))
}
