import { sql, type RawBuilder } from 'kysely'
import type { Db } from './record-store.ts'

interface Listed {
  id: string
  title: string
  at: Date
}

/** Of whom the figures are: of what is linked to the initiative or, where nothing is, of the whole group. */
type Scope = 'initiative' | 'group'

/** What happened to one initiative since a time. */
export interface Progress {
  tickets: { open: number; done: number; created: number; recent: Listed[] }
  deployments: { scope: Scope; succeeded: number; failed: number; recent: Listed[] }
  devlogs: { scope: Scope; count: number; recent: Listed[] }
}

export interface ProgressQuestion {
  groupId: string
  initiativeId: string
  since: Date
  /** The IDs of records that are linked to the initiative. */
  linked: { deployments: readonly string[]; devlogs: readonly string[] }
}

const maxListed = 10

export async function progressSince(
  db: Db,
  { groupId, initiativeId, since, linked }: ProgressQuestion,
): Promise<Progress> {
  const among = (ids: readonly string[]): RawBuilder<unknown> =>
    ids.length === 0 ? sql`` : sql`and id = any(${ids}::uuid[])`
  const scopeOf = (ids: readonly string[]): Scope => (ids.length === 0 ? 'group' : 'initiative')
  const tickets = sql<Progress['tickets']>`
    select count(*) filter (where status in ('open', 'in_progress'))::int as open,
      count(*) filter (where status = 'done' and completed_at >= ${since})::int as done,
      count(*) filter (where created_at >= ${since})::int as created
    from records.tickets where group_id = ${groupId} and initiative_id = ${initiativeId}`
  const done = sql<Listed>`
    select id, title, completed_at as at from records.tickets
    where group_id = ${groupId} and initiative_id = ${initiativeId} and status = 'done' and completed_at >= ${since}
    order by completed_at desc, id desc limit ${maxListed}`
  const deployments = sql<Progress['deployments']>`
    select count(*) filter (where status = 'succeeded')::int as succeeded,
      count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
    from records.deployments
    where group_id = ${groupId} and started_at >= ${since} ${among(linked.deployments)}`
  const deployed = sql<Listed>`
    select id, concat_ws(' ', service, version, status) as title, started_at as at from records.deployments
    where group_id = ${groupId} and started_at >= ${since} ${among(linked.deployments)}
    order by started_at desc, id desc limit ${maxListed}`
  const devlogs = sql<Progress['devlogs']>`
    select count(*)::int as count from records.devlogs
    where group_id = ${groupId} and created_at >= ${since} ${among(linked.devlogs)}`
  const written = sql<Listed>`
    select id, title, created_at as at from records.devlogs
    where group_id = ${groupId} and created_at >= ${since} ${among(linked.devlogs)}
    order by created_at desc, id desc limit ${maxListed}`
  const [a, b, c, d, e, f] = await Promise.all([
    tickets.execute(db),
    done.execute(db),
    deployments.execute(db),
    deployed.execute(db),
    devlogs.execute(db),
    written.execute(db),
  ])
  return {
    tickets: { ...(a.rows[0] ?? { open: 0, done: 0, created: 0 }), recent: b.rows },
    deployments: {
      ...(c.rows[0] ?? { succeeded: 0, failed: 0 }),
      ...{ scope: scopeOf(linked.deployments), recent: d.rows },
    },
    devlogs: { scope: scopeOf(linked.devlogs), count: e.rows[0]?.count ?? 0, recent: f.rows },
  }
}
