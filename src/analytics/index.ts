import type { Database } from '#kernel/db'
import type { Part } from '#kernel/part'
import { storeDays } from './days/store-days.ts'
import { analyticsRoutes } from './routes.ts'

/** Read-only questions over the records: how deployments, tickets, health and devlogs are going. */
export function createAnalytics({ database }: { database: Database }): Part {
  return {
    name: 'analytics',
    role: 'platform',
    routes: (app) => analyticsRoutes(app, database.pool),
    jobs(jobs) {
      jobs.define('analytics.store-days', async () => void (await storeDays(database.pool)), {
        cron: '*/5 * * * *',
      })
    },
  }
}
