import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Http } from '#kernel/http'
import type { AgentRow } from './agent-store.ts'
import { builtInAgents } from './built-in.ts'
import { createRegistry } from './registry.ts'
import { agentRoutes } from './routes.ts'
import type { AgentTables } from './tables.ts'

export type { AgentRow } from './agent-store.ts'

export interface AgentDeps {
  config: Config
  database: Database
  events: Events
}

/** The registry of agents: who they are, what they may do, and every version of that. */
export function createAgents({ config, database, events }: AgentDeps) {
  const db: Kysely<AgentTables> = database.tables()
  const registry = createRegistry({ db, events, builtIn: builtInAgents(config) })
  return {
    name: 'agents',
    role: 'platform' as const,
    /** An agent of the group; 404 where the group has none with this ID. */
    find: (groupId: string, id: string): Promise<AgentRow> => registry.find(groupId, id),
    routes(app: Http): void {
      agentRoutes(app, registry)
    },
  }
}
