import type { Database } from '#kernel/db'
import type { Part } from '#kernel/part'
import { analyticsRoutes } from './routes.ts'

/** Read-only questions over the records: how deployments, tickets, health and devlogs are going. */
export function createAnalytics({ database }: { database: Database }): Part {
  return {
    name: 'analytics',
    role: 'platform',
    routes: (app) => analyticsRoutes(app, database.pool),
  }
}
