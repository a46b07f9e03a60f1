import type { StepCounts } from '../calendar.ts'
import type { Scope } from '../scope.ts'
import { only, secondsBetween, type Queryable } from './query.ts'

/** Of all services together (`service` null) or of one, in the period or in the one before it. */
export interface DeploymentSums {
  is_current: boolean
  service: string | null
  total: number
  succeeded: number
  failed: number
  rolled_back: number
  running: number
  average_build_seconds: number | null
  /** The median and the 95th percentile; null without a value. */
  build_seconds: [number, number] | null
  lead_count: number
  average_lead_seconds: number | null
  lead_seconds: [number, number] | null
}

export interface DeploymentCounts {
  /** All together, then each service of the period, those with most deployments first. */
  sums: DeploymentSums[]
  steps: StepCounts<'succeeded' | 'failed'>[]
}

const maxServices = 500

/** The seconds from commit to end of a success. Clocks that disagree must not make it negative. */
export const leadSeconds = `case when status = 'succeeded' and committed_at is not null
  then greatest(${secondsBetween('committed_at', 'finished_at')}, 0) end`

/** A deployment counts where it ended; where it began, while it runs. One that was rolled back has failed. */
export async function countDeployments(
  db: Queryable,
  { groupId, service, environment, period }: Scope,
  steps: readonly Date[],
  isByService: boolean,
): Promise<DeploymentCounts> {
  const { rows } = await db.query<DeploymentCounts>(
    `with chosen as materialized (
       select at >= $4 as is_current, width_bucket(at, $8::timestamptz[]) - 1 as step,
         case when at >= $4 then service end collate "C" as service, status,
         ${secondsBetween('started_at', 'finished_at')} as build, ${leadSeconds} as lead
       from analytics.deployments
       where group_id = $1 and at >= $2 and at < $5 and (at < $3 or at >= $4)
         and ($6::text is null or service = $6) and ($7::text is null or environment = $7)
     ), sums as (
       select is_current, ${isByService ? 'service' : 'null'} as service, count(*) as total,
         count(*) filter (where status = 'succeeded') as succeeded,
         count(*) filter (where status in ('failed', 'rolled_back')) as failed,
         count(*) filter (where status = 'rolled_back') as rolled_back,
         count(*) filter (where status = 'started') as running,
         avg(build) as average_build_seconds,
         percentile_cont(array[0.5, 0.95]) within group (order by build) as build_seconds,
         count(lead) as lead_count, avg(lead) as average_lead_seconds,
         percentile_cont(array[0.5, 0.95]) within group (order by lead) as lead_seconds
       from chosen group by grouping sets ((is_current)${isByService ? ', (is_current, service)' : ''})
     ), largest as (
       select * from sums order by service is not null, total desc, service limit ${maxServices + 3}
     ), steps as (
       select step, count(*) filter (where status = 'succeeded') as succeeded,
         count(*) filter (where status in ('failed', 'rolled_back')) as failed
       from chosen group by step
     )
     select coalesce((select json_agg(largest) from largest), '[]') as sums,
       coalesce((select json_agg(steps) from steps), '[]') as steps`,
    [
      ...[groupId, period.previousFrom, period.previousTo, period.from, period.to],
      ...[service ?? null, environment ?? null, steps],
    ],
  )
  return only(rows)
}
