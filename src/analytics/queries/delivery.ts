import type { StepCounts } from '../calendar.ts'
import type { Scope } from '../scope.ts'
import { leadSeconds } from './deployments.ts'
import { only, secondsBetween, type Queryable } from './query.ts'

export interface DeliverySums {
  is_current: boolean
  deployments: number
  succeeded: number
  failures: number
  unrecovered: number
  rework: number
  median_lead_seconds: number | null
  median_recovery_seconds: number | null
}

export interface Delivery {
  /** The DORA metrics of the period and of the one before it; one without a deployment is left out. */
  sums: DeliverySums[]
  /** Of all environments that the filter allows, and of those of production among them. */
  steps: StepCounts<'succeeded' | 'released'>[]
}

/**
 * A line is a service and one of its environments. A deployment failed if it did not succeed, caused an incident, or the
 * next one of its line is rework that began within 24 hours. It is recovered when its incidents are closed, or else with
 * the first success of its line that ends later. Without an environment the metrics are of production.
 *
 * What follows is read for 48 hours: rework that begins within 24 hours is over by then. Lines are read from their end:
 * the successes that follow a deployment are then a frame that only grows.
 */
export async function sumDelivery(
  db: Queryable,
  { groupId, service, environment, period }: Scope,
  steps: readonly Date[],
): Promise<Delivery> {
  const { rows } = await db.query<Delivery>(
    `with chosen as materialized (
       select id, service collate "C" as service, environment collate "C" as environment, status, at, started_at,
         is_rework, is_rework or incident_id is not null as repairs, ${leadSeconds} as lead
       from analytics.deployments
       where group_id = $1 and at >= $2 and at < $5::timestamptz + interval '48 hours'
         and ($6::text is null or service = $6) and ($7::text is null or environment = $7)
     ), production as (
       select environment from (select distinct environment from chosen) as environments
       where $7::text is not null or environment ~* '^(prod|production|live)([^a-z0-9]|$)'
     ), line as materialized (
       select *, lag(is_rework) over following as next_is_rework, lag(started_at) over following as next_started_at,
         min(at) filter (where status = 'succeeded') over (
           partition by service, environment order by at desc groups between unbounded preceding and 1 preceding)
           as next_success
       from chosen
       where status <> 'started' and environment in (select environment from production)
       window following as (partition by service, environment order by at desc, id desc)
     ), success_after as materialized (
       select service, environment, (
         select finished_at from analytics.deployments d
         where d.group_id = $1 and d.service = lines.service and d.environment = lines.environment
           and d.status = 'succeeded' and d.finished_at >= $5::timestamptz + interval '48 hours'
         order by finished_at limit 1
       ) as later_success
       from (select distinct service, environment from line) as lines
       where $5::timestamptz + interval '48 hours' <= now()
     ), incident as materialized (
       select deployment_id, case when bool_and(closed_at is not null) then max(closed_at) end as closed_at
       from analytics.incidents where group_id = $1 and deployment_id is not null group by deployment_id
     ), judged as (
       select line.*, at >= $4 as is_current,
         status <> 'succeeded' or deployment_id is not null
           or coalesce(next_is_rework and next_started_at <= at + interval '24 hours', false) as is_failure,
         case when deployment_id is not null then closed_at else coalesce(next_success, later_success) end
           as recovered_at
       from line left join success_after using (service, environment) left join incident on deployment_id = id
       where at < $5 and (at < $3 or at >= $4)
     ), sums as (
       select is_current, count(*) as deployments, count(*) filter (where status = 'succeeded') as succeeded,
         count(*) filter (where is_failure) as failures,
         count(*) filter (where is_failure and recovered_at is null) as unrecovered,
         count(*) filter (where repairs) as rework,
         percentile_cont(0.5) within group (order by lead) as median_lead_seconds,
         percentile_cont(0.5) within group (order by greatest(${secondsBetween('at', 'recovered_at')}, 0))
           filter (where is_failure and recovered_at is not null) as median_recovery_seconds
       from judged group by is_current
     ), steps as (
       select width_bucket(at, $8::timestamptz[]) - 1 as step, count(*) as succeeded,
         count(*) filter (where environment in (select environment from production)) as released
       from chosen where status = 'succeeded' and at < $5 group by 1
     )
     select coalesce((select json_agg(sums) from sums), '[]') as sums,
       coalesce((select json_agg(steps) from steps), '[]') as steps`,
    [
      ...[groupId, period.previousFrom, period.previousTo, period.from, period.to],
      ...[service ?? null, environment ?? null, steps],
    ],
  )
  return only(rows)
}
