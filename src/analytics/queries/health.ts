import type { Period } from './period.ts'
import type { Queryable } from './query.ts'

export interface HealthScope extends Pick<Period, 'from' | 'to' | 'tz'> {
  groupId: string
  service: string | undefined
}

/** Sums are kept by minute for a day, by hour for 30 days and by day for a year. */
export type Resolution = 'minute' | 'hour' | 'day'

export interface ServiceHealth {
  id: string
  name: string
  title: string
  state: string
  ok: number
  failed: number
  maintenance: number
  /** For how much of the time checks speak; null where nothing is checked, or not for as long as an interval. */
  coverage_percent: number | null
  average_latency_ms: number | null
  incidents: number
  incident_seconds: number
  resolved: number
  average_restore_seconds: number | null
}

/**
 * A sum of a day is of a day of UTC; it counts for the day of the zone with the same date. What has been checked since
 * UTC began its next day counts for today.
 */
const beginning = `case when r.resolution = 'day'
           then least(r.at at time zone 'UTC' at time zone $6, date_trunc('day', now(), $6)) else r.at end`
/** The condition that an index can read comes first. */
const isInPeriod = `r.at >= $3::timestamptz - interval '1 day' and r.at < $4::timestamptz + interval '1 day'
         and ${beginning} >= $3 and ${beginning} < $4`

/** An incident counts in the period in which it was opened; its duration only as far as it lies in the period. */
export async function sumHealth(
  db: Queryable,
  { groupId, service, from, to, tz }: HealthScope,
  resolution: Resolution,
): Promise<ServiceHealth[]> {
  const { rows } = await db.query<ServiceHealth>(
    `select s.id, s.name, s.title, s.state, coalesce(h.ok, 0) as ok, coalesce(h.failed, 0) as failed,
       coalesce(h.maintenance, 0) as maintenance, h.average_latency_ms,
       case when s.url is not null and span.seconds >= s.interval_s
         then least(100, 100 * coalesce(h.seconds, 0) / span.seconds) end as coverage_percent,
       i.incidents, i.incident_seconds, i.resolved, i.average_restore_seconds
     from analytics.services s
     cross join lateral (
       select extract(epoch from $4::timestamptz - greatest($3::timestamptz, s.created_at))::float8 as seconds
     ) span
     left join lateral (
       select sum(coalesce(ok_seconds, ok_count::bigint * s.interval_s)
           + coalesce(failed_seconds, failed_count::bigint * s.interval_s)
           + coalesce(maintenance_seconds, maintenance_count::bigint * s.interval_s))::float8 as seconds,
         sum(ok_count)::int as ok, sum(failed_count)::int as failed, sum(maintenance_count)::int as maintenance,
         sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
       from analytics.health_rollups r
       where r.service_id = s.id and r.resolution = $5 and ${isInPeriod}
     ) h on true
     cross join lateral (
       select count(*) filter (where opened_at >= $3)::int as incidents,
         coalesce(sum(extract(epoch from least(coalesce(closed_at, now()), $4) - greatest(opened_at, $3))), 0)::float8
           as incident_seconds,
         count(closed_at) filter (where opened_at >= $3)::int as resolved,
         avg(extract(epoch from closed_at - opened_at)::float8) filter (where opened_at >= $3)
           as average_restore_seconds
       from analytics.incidents
       where service_id = s.id and opened_at < $4 and (closed_at is null or closed_at > $3)
     ) i
     where s.group_id = $1 and ($2::text is null or s.name = $2)
     order by s.name limit 500`,
    [groupId, service ?? null, from, to, resolution, tz],
  )
  return rows
}

/** The buckets of a service in the order of time, a column for each fact. */
export interface HealthBuckets {
  service_id: string
  /** The places of the buckets. */
  place: number[]
  ok: number[]
  failed: number[]
  maintenance: number[]
  average_latency_ms: (number | null)[]
}

/** Each bucket lasts until the next one begins, the last until the end. Only those with checks: a gap has none. */
export async function healthBuckets(
  db: Queryable,
  { groupId, service, from, to, tz }: HealthScope,
  resolution: Resolution,
  starts: readonly Date[],
): Promise<HealthBuckets[]> {
  const { rows } = await db.query<HealthBuckets>(
    `select service_id, array_to_json(array_agg(place)) as place,
       array_to_json(array_agg(ok)) as ok, array_to_json(array_agg(failed)) as failed,
       array_to_json(array_agg(maintenance)) as maintenance,
       array_to_json(array_agg(average_latency_ms)) as average_latency_ms
     from (
       select service_id, width_bucket(${beginning}, $7::timestamptz[]) - 1 as place,
         sum(ok_count) as ok, sum(failed_count) as failed, sum(maintenance_count) as maintenance,
         sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
       from analytics.services s join analytics.health_rollups r on r.service_id = s.id
       where s.group_id = $1 and ($2::text is null or s.name = $2)
         and r.resolution = $5 and ${isInPeriod}
       group by 1, 2 order by 1, 2
     ) as buckets group by service_id`,
    [groupId, service ?? null, from, to, resolution, tz, starts],
  )
  return rows
}
