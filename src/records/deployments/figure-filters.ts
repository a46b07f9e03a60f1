import { sql, type RawBuilder } from 'kysely'
import { invalidField } from '#kernel/errors'
import type { DeploymentQuery } from '../shapes/deployments.ts'

type Condition = RawBuilder<unknown> | undefined

/** The filters that find the deployments behind a figure of the analytics. */
export function figureFilters(query: DeploymentQuery, groupId: string): Condition[] {
  const { ended_since, ended_until, is_production, is_rework, is_change_failure } = query
  // All rework since then is looked at: a beginning bounds how much.
  if (is_change_failure && ended_since === undefined)
    throw invalidField('is_change_failure', ['needs ', { path: 'ended_since' }])
  return [
    ended_since === undefined ? undefined : sql`${endedAt} >= ${new Date(ended_since)}`,
    ended_until === undefined ? undefined : sql`${endedAt} < ${new Date(ended_until)}`,
    isIt(is_production, sql`environment ~* '^(prod|production|live)([^a-z0-9]|$)'`),
    isIt(is_rework, sql`(is_rework or incident_id is not null)`),
    is_change_failure && isChangeFailure(groupId, new Date(ended_since ?? 0)),
  ]
}

/** Written as in its index. */
const endedAt = sql`(coalesce(finished_at, started_at))`

const isIt = (wanted: boolean | undefined, condition: RawBuilder<unknown>): Condition =>
  wanted === undefined ? undefined : wanted ? condition : sql`not ${condition}`

/** The same rule as in `sumDelivery` of the analytics: rework makes a failure of what was deployed before it. */
const isChangeFailure = (groupId: string, since: Date) => sql`status <> 'started' and (
  status <> 'succeeded'
  or id in (select deployment_id from records.incidents where group_id = ${groupId} and deployment_id is not null)
  or id in (
    select repaired.id from records.deployments rework
    cross join lateral (
      select id, finished_at from records.deployments earlier
      where earlier.group_id = ${groupId} and earlier.service = rework.service
        and earlier.environment = rework.environment and earlier.status <> 'started'
        and earlier.finished_at <= rework.finished_at
        and (earlier.finished_at, earlier.id) < (rework.finished_at, rework.id)
      order by earlier.finished_at desc, earlier.id desc limit 1
    ) as repaired
    where rework.group_id = ${groupId} and rework.is_rework and rework.status <> 'started'
      and rework.finished_at >= ${since} and rework.started_at <= repaired.finished_at + interval '24 hours'
  )
)`
