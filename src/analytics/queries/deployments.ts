import type { Lane } from '../days/deployments.ts'
import type { Span } from '../days/read-days.ts'
import type { BlamedDeployment, NextSuccess } from '../sums/delivery.ts'
import type { Queryable } from './query.ts'

/** Deployments of the span that incidents name: few, so each is looked up by its id (`offset 0` keeps it so). */
export async function blamedDeployments(
  db: Queryable,
  groupId: string,
  { from, to }: Span,
): Promise<BlamedDeployment[]> {
  const { rows } = await db.query<BlamedDeployment>(
    `with named as materialized (
       select deployment_id, case when bool_and(closed_at is not null)
           then extract(epoch from max(closed_at))::float8 * 1000 end as "closedAt"
       from analytics.incidents where group_id = $1 and deployment_id is not null group by deployment_id
     )
     select extract(epoch from d.finished_at)::float8 * 1000 as "finishedAt",
       ('x' || encode(analytics.end_of(d.id), 'hex'))::bit(32)::bigint::float8 as mark, "closedAt"
     from named cross join lateral (
       select id, finished_at from analytics.deployments
       where id = deployment_id and group_id = $1 and finished_at >= $2 and finished_at < $3 offset 0
     ) as d`,
    [groupId, new Date(from), new Date(to)],
  )
  return rows
}

/** The first success of each lane from a time on; lanes without one are left out. */
export async function firstSuccesses(
  db: Queryable,
  groupId: string,
  lanes: readonly Lane[],
  from: number,
): Promise<NextSuccess[]> {
  if (lanes.length === 0 || from > Date.now()) return []
  const { rows } = await db.query<NextSuccess>(
    `select lane.service, lane.environment, extract(epoch from first.finished_at)::float8 * 1000 as "finishedAt"
     from unnest($2::text[], $3::text[]) as lane (service, environment)
     cross join lateral (
       select finished_at from analytics.deployments d
       where d.group_id = $1 and d.service = lane.service and d.environment = lane.environment
         and d.status = 'succeeded' and d.finished_at >= $4
       order by finished_at limit 1
     ) as first`,
    [
      groupId,
      lanes.map(({ service }) => service),
      lanes.map(({ environment }) => environment),
      new Date(from),
    ],
  )
  return rows
}
