import type { Queryable } from './query.ts'

export interface DeploymentScope {
  groupId: string
  from: Date
  to: Date
  tz: string
  service: string | undefined
  environment: string | undefined
}

/** Of all services together (`service` null), and of each. */
export interface DeploymentSums {
  service: string | null
  total: number
  succeeded: number
  failed: number
  rolled_back: number
  running: number
  average_build_seconds: number | null
  median_build_seconds: number | null
  p95_build_seconds: number | null
  lead_count: number
  average_lead_seconds: number | null
  median_lead_seconds: number | null
  p95_lead_seconds: number | null
}

const within = `group_id = $1 and at >= $2 and at < $3 and ($4::text is null or service = $4)
  and ($5::text is null or environment = $5)`

const valuesOf = ({ groupId, from, to, service, environment }: DeploymentScope): unknown[] => [
  groupId,
  from,
  to,
  service ?? null,
  environment ?? null,
]

/**
 * A deployment that was rolled back has failed. Clocks that disagree must not make a time negative. Rows are sorted by
 * service to be summed, which is far cheaper by bytes than by the rules of a language.
 */
export async function sumDeployments(db: Queryable, scope: DeploymentScope): Promise<DeploymentSums[]> {
  const { rows } = await db.query<DeploymentSums>(
    `with chosen as (
       select service collate "C" as service, status,
         extract(epoch from finished_at - started_at)::float8 as build,
         case when status = 'succeeded' and committed_at is not null
           then greatest(extract(epoch from finished_at - committed_at), 0)::float8 end as lead
       from analytics.deployments where ${within}
     )
     select service, count(*)::int as total,
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back'))::int as failed,
       count(*) filter (where status = 'rolled_back')::int as rolled_back,
       count(*) filter (where status = 'started')::int as running,
       avg(build) as average_build_seconds,
       percentile_cont(0.5) within group (order by build) as median_build_seconds,
       percentile_cont(0.95) within group (order by build) as p95_build_seconds,
       count(lead)::int as lead_count,
       avg(lead) as average_lead_seconds,
       percentile_cont(0.5) within group (order by lead) as median_lead_seconds,
       percentile_cont(0.95) within group (order by lead) as p95_lead_seconds
     from chosen group by grouping sets ((), (service))
     order by grouping(service) desc, count(*) desc, service limit 501`,
    valuesOf(scope),
  )
  return rows
}

export interface DeploymentDay {
  date: string
  succeeded: number
  failed: number
}

/** Every day of the period, also those without a deployment. */
export async function deploymentsPerDay(db: Queryable, scope: DeploymentScope): Promise<DeploymentDay[]> {
  const { rows } = await db.query<DeploymentDay>(
    `with counted as (
       select (at at time zone $6)::date as day,
         count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
       from analytics.deployments where ${within} group by 1
     )
     select to_char(day, 'YYYY-MM-DD') as date, coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed
     from (select generate_series(
       date_trunc('day', $2::timestamptz at time zone $6), ($3::timestamptz at time zone $6) - interval '1 microsecond',
       interval '1 day')::date as day) as days
     left join counted using (day) order by day`,
    [...valuesOf(scope), scope.tz],
  )
  return rows
}

export interface DeploymentHour {
  at: Date
  succeeded: number
  failed: number
}

export async function deploymentsPerHour(db: Queryable, scope: DeploymentScope): Promise<DeploymentHour[]> {
  const { rows } = await db.query<DeploymentHour>(
    `with counted as (
       select date_trunc('hour', at) as hour,
         count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
       from analytics.deployments where ${within} group by 1
     )
     select hour as at, coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed
     from generate_series(date_trunc('hour', $2::timestamptz), $3::timestamptz - interval '1 microsecond',
       interval '1 hour') as hour
     left join counted using (hour) order by hour`,
    valuesOf(scope),
  )
  return rows
}

export interface DeliverySums {
  deployments: number
  succeeded: number
  failures: number
  unrecovered: number
  rework: number
  median_lead_seconds: number | null
  median_recovery_seconds: number | null
}

/**
 * The keys of DORA, for deployments that ended in the period. A deployment failed if it did not succeed, caused an
 * incident, or the next one of the same service is rework that began within 24 hours. It is recovered when its
 * incidents are closed, or else with the next success.
 */
export async function sumDelivery(db: Queryable, scope: DeploymentScope): Promise<DeliverySums> {
  const { rows } = await db.query<DeliverySums>(
    `with sequence as (
       select d.*, lead(is_rework) over next as next_is_rework, lead(started_at) over next as next_started_at
       from analytics.deployments d
       where group_id = $1 and at >= $2 and at < $3::timestamptz + interval '24 hours' and status <> 'started'
         and ($4::text is null or service = $4) and (environment = $5 or $5::text is null and
           environment ~* '^(prod|production|live)(\\W|_|$)')
       window next as (partition by service collate "C", environment collate "C" order by finished_at, id)
     ), judged as (
       select s.*, i.deployment_id is not null as has_incident, i.closed_at as incident_closed_at,
         status in ('failed', 'rolled_back') or i.deployment_id is not null
           or next_is_rework is true and next_started_at <= finished_at + interval '24 hours' as is_failure
       from sequence s
       left join (
         select deployment_id, case when bool_and(closed_at is not null) then max(closed_at) end as closed_at
         from analytics.incidents where group_id = $1 and deployment_id is not null group by deployment_id
       ) i on i.deployment_id = s.id
       where s.at < $3
     ), recovered as materialized (
       select j.*, case when not is_failure then null when has_incident then incident_closed_at else (
         select min(n.finished_at) from analytics.deployments n
         where n.group_id = $1 and n.service = j.service and n.environment = j.environment
           and n.status = 'succeeded' and n.finished_at > j.finished_at
       ) end as recovered_at
       from judged j
     )
     select count(*)::int as deployments,
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where is_failure)::int as failures,
       count(*) filter (where is_failure and recovered_at is null)::int as unrecovered,
       count(*) filter (where is_rework or incident_id is not null)::int as rework,
       percentile_cont(0.5) within group (
         order by case when status = 'succeeded' and committed_at is not null
           then greatest(extract(epoch from finished_at - committed_at), 0)::float8 end) as median_lead_seconds,
       percentile_cont(0.5) within group (
         order by case when recovered_at is not null
           then greatest(extract(epoch from recovered_at - finished_at), 0)::float8 end) as median_recovery_seconds
     from recovered`,
    valuesOf(scope),
  )
  return rows[0] ?? noDelivery
}

const noDelivery: DeliverySums = {
  deployments: 0,
  succeeded: 0,
  failures: 0,
  unrecovered: 0,
  rework: 0,
  median_lead_seconds: null,
  median_recovery_seconds: null,
}
