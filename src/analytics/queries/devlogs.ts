import type { Period } from './period.ts'
import { only, type Queryable } from './query.ts'

export interface DevlogScope extends Pick<Period, 'from' | 'to' | 'tz'> {
  groupId: string
  service: string | undefined
}

const within = `group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4)`
const valuesOf = ({ groupId, from, to, service }: DevlogScope): unknown[] => [
  groupId,
  from,
  to,
  service ?? null,
]

export interface DevlogSums {
  total: number
  human: number
  ai: number
}

export async function sumDevlogs(db: Queryable, scope: DevlogScope): Promise<DevlogSums> {
  const { rows } = await db.query<DevlogSums>(
    `select count(*)::int as total, count(*) filter (where author_kind = 'human')::int as human,
       count(*) filter (where author_kind = 'ai')::int as ai
     from analytics.devlogs where ${within}`,
    valuesOf(scope),
  )
  return only(rows)
}

export interface DevlogService extends DevlogSums {
  service: string | null
}

export async function devlogsPerService(db: Queryable, scope: DevlogScope): Promise<DevlogService[]> {
  const { rows } = await db.query<DevlogService>(
    `select service, count(*)::int as total, count(*) filter (where author_kind = 'human')::int as human,
       count(*) filter (where author_kind = 'ai')::int as ai
     from analytics.devlogs where ${within}
     group by service order by count(*) desc, service nulls last limit 500`,
    valuesOf(scope),
  )
  return rows
}

export interface DevlogDay {
  date: string
  human: number
  ai: number
}

/** Every day of the period, also those without a devlog. */
export async function devlogsPerDay(db: Queryable, scope: DevlogScope): Promise<DevlogDay[]> {
  const { rows } = await db.query<DevlogDay>(
    `with counted as (
       select (created_at at time zone $5)::date as day,
         count(*) filter (where author_kind = 'human')::int as human,
         count(*) filter (where author_kind = 'ai')::int as ai
       from analytics.devlogs where ${within} group by 1
     )
     select to_char(day, 'YYYY-MM-DD') as date, coalesce(human, 0) as human, coalesce(ai, 0) as ai
     from (select generate_series(
       date_trunc('day', $2::timestamptz at time zone $5), ($3::timestamptz at time zone $5) - interval '1 microsecond',
       interval '1 day')::date as day) as days
     left join counted using (day) order by day`,
    [...valuesOf(scope), scope.tz],
  )
  return rows
}

export interface DevlogHour {
  /** 1 is Monday. */
  weekday: number
  hour: number
  count: number
}

/** Only hours with a devlog, by the clock of the zone. */
export async function devlogsPerHour(db: Queryable, scope: DevlogScope): Promise<DevlogHour[]> {
  const { rows } = await db.query<DevlogHour>(
    `select extract(isodow from created_at at time zone $5)::int as weekday,
       extract(hour from created_at at time zone $5)::int as hour, count(*)::int as count
     from analytics.devlogs where ${within} group by 1, 2 order by 1, 2`,
    [...valuesOf(scope), scope.tz],
  )
  return rows
}
