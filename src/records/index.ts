import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Part } from '#kernel/part'
import { createDeployments } from './deployments/index.ts'
import { createDevlogs, createLearnings, createSkills } from './notes/index.ts'
import { kindRoutes } from './routes.ts'
import { createTickets } from './tickets/index.ts'

export interface RecordsDeps {
  database: Database
  events: Events
}

/** Services and their health, deployments, tickets, devlogs, skills and learnings. */
export function createRecords({ database, events }: RecordsDeps): Part {
  const deps = { db: database.tables<unknown>(), events }
  const kinds = {
    deployments: createDeployments(deps),
    tickets: createTickets(deps),
    devlogs: createDevlogs(deps),
    skills: createSkills(deps),
    learnings: createLearnings(deps),
  }
  return {
    name: 'records',
    role: 'platform',
    routes(app) {
      kindRoutes(app, kinds)
    },
  }
}
