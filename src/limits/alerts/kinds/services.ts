import { sql } from 'kysely'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { short } from '../words.ts'

/**
 * A service that its checks found down, or that has an open incident from any source. Checks have their own guard
 * against flapping. In maintenance nothing fires, and nothing is over.
 */
export const serviceDown: Kind<ConfigOf<'service_down'>> = {
  severity: 'critical',
  isOnce: false,
  ends: 'with a message',
  async find({ db, groupId, open }, { services }): Promise<Finding[]> {
    const rows = await troubledServices(db, groupId, services)
    return rows.flatMap((row) => {
      const thing = `service:${row.id}`
      if (row.state === 'maintenance' && !open.has(thing)) return []
      const since = (row.opened_at ?? row.state_since).toISOString()
      const cause = row.cause ? short(row.cause, 200) : null
      return [
        {
          thing,
          title: row.state === 'down' ? `${row.name} is down` : `${row.name} has an incident`,
          text: `${cause === null ? '' : `${cause} `}Since ${since.slice(0, 16).replace('T', ' ')} UTC. Look at its checks, and at what was deployed before it.`,
          path: `/services/${encodeURIComponent(row.name)}`,
          data: { service: row.name, service_id: row.id, incident_id: row.incident_id, cause, since },
        },
      ]
    })
  },
  over: ({ data }) => `${String(data['service'])} is up again`,
}

interface TroubledService {
  id: string
  name: string
  state: string
  state_since: Date
  incident_id: string | null
  opened_at: Date | null
  cause: string | null
}

/** Services that are down, have an open incident, or are in maintenance. */
export async function troubledServices(
  db: Db,
  groupId: string,
  names: readonly string[],
): Promise<TroubledService[]> {
  const chosen = names.length === 0 ? sql`` : sql`and name = any (${names}::text[])`
  const { rows } = await sql<TroubledService>`
    select id, name, state, state_since, incident_id, opened_at, cause from alerts.services
    where group_id = ${groupId} ${chosen} and (state in ('down', 'maintenance') or incident_id is not null)
    order by name limit 500`.execute(db)
  return rows
}
