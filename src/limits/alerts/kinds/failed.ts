import { sql } from 'kysely'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { short } from '../words.ts'

const dayMs = 24 * 3_600_000

/** What failed before the alert was made is no news, nor is what failed while nothing was evaluated for a day. */
const newsSince = (now: Date, since: Date): Date => new Date(Math.max(since.getTime(), now.getTime() - dayMs))

/** A run of an agent that failed. */
export const runFailed: Kind<ConfigOf<'run_failed'>> = {
  severity: 'error',
  isOnce: true,
  ends: 'at once',
  async find({ db, groupId, now, since }, { agents }): Promise<Finding[]> {
    const rows = await failedRuns(db, groupId, newsSince(now, since), agents)
    return rows.map(({ id, agent_id: agentId, agent, error }) => ({
      thing: `run:${id}`,
      title: `Run of ${agent} failed${error ? `: ${short(error.message)}` : ''}`,
      text: 'See its steps, then ask again.',
      path: `/agents/runs/${id}`,
      data: { run_id: id, agent_id: agentId, agent, code: error?.code ?? null },
    }))
  },
}

interface FailedRun {
  id: string
  agent_id: string
  /** Its name. */
  agent: string
  error: { code: string; message: string } | null
}

export async function failedRuns(
  db: Db,
  groupId: string,
  since: Date,
  agents: readonly string[],
): Promise<FailedRun[]> {
  const chosen = agents.length === 0 ? sql`` : sql`and agent_id = any (${agents}::text[])`
  const { rows } = await sql<FailedRun>`
    select id, agent_id, agent, error from alerts.runs
    where group_id = ${groupId} and status = 'failed' and finished_at >= ${since} ${chosen}
    order by finished_at desc limit 200`.execute(db)
  return rows
}

/** A deployment that failed. */
export const deploymentFailed: Kind<ConfigOf<'deployment_failed'>> = {
  severity: 'error',
  isOnce: true,
  ends: 'at once',
  async find({ db, groupId, now, since }, config): Promise<Finding[]> {
    const rows = await failedDeployments(db, groupId, newsSince(now, since), config)
    return rows.map(({ id, service, environment, version }) => ({
      thing: `deployment:${id}`,
      title: `Deployment of ${service}${version === null ? '' : ` ${version}`} to ${environment} failed`,
      text: 'Read the log of the pipeline, then deploy again or roll back.',
      path: `/deployments?service=${encodeURIComponent(service)}`,
      data: { deployment_id: id, service, environment, version },
    }))
  },
}

export async function failedDeployments(
  db: Db,
  groupId: string,
  since: Date,
  { services, environments }: ConfigOf<'deployment_failed'>,
): Promise<{ id: string; service: string; environment: string; version: string | null }[]> {
  const chosen = (column: string, names: readonly string[]) =>
    names.length === 0 ? sql`` : sql`and ${sql.ref(column)} = any (${names}::text[])`
  const { rows } = await sql<{ id: string; service: string; environment: string; version: string | null }>`
    select id, service, environment, version from alerts.deployments
    where group_id = ${groupId} and status = 'failed' and at >= ${since}
      ${chosen('service', services)} ${chosen('environment', environments)}
    order by at desc limit 200`.execute(db)
  return rows
}
