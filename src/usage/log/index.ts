import type { Kysely } from 'kysely'
import type { Http } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
import type { LogNames, UsageDeps } from '../deps.ts'
import type { UsageTables } from '../tables.ts'
import { analyticsRoutes } from './analytics-routes.ts'
import { ensureUpcoming } from './partitions.ts'
import { deleteBefore, keptFrom } from './retention.ts'
import { routeShareRoute } from './route-shares.ts'
import { logRoutes } from './routes.ts'
import { spendRoutes } from '../spend/routes.ts'
import { sumOlderDays } from '../spend/older-days.ts'

export interface UsageLogPart {
  routes(app: Http, names: LogNames): void
  jobs(jobs: Jobs): void
  start(): Promise<void>
}

/** The ledger as it is read: the log, its export and its sums; and its tables as time goes by. */
export function createUsageLog(
  { database, config, log }: UsageDeps,
  caughtUp: () => Promise<void>,
): UsageLogPart {
  const db: Kysely<UsageTables> = database.tables()
  const retentionDays = config.USAGE_LOG_RETENTION_DAYS
  const prepare = (): Promise<void> => ensureUpcoming(database.pool, new Date(), retentionDays)

  async function forget(): Promise<void> {
    if (retentionDays === undefined) return
    const limit = keptFrom(new Date(), retentionDays)
    const { tables, rows } = await deleteBefore(database.pool, limit)
    if (tables + rows > 0) log.info({ before: limit, tables, rows }, 'old usage was deleted')
  }

  return {
    routes(app, names) {
      const deps = { db, caughtUp, ...names }
      logRoutes(app, deps)
      analyticsRoutes(app, deps)
      routeShareRoute(app, deps)
      spendRoutes(app, deps)
    },
    jobs(jobs) {
      jobs.define('usage.prepare-tables', prepare, { cron: '7 1 * * *' })
      jobs.define('usage.forget-old', forget, { cron: '23 * * * *', atStart: true })
      jobs.define('usage.sum-older-days', () => sumOlderDays(db), { cron: '43 * * * *', atStart: true })
    },
    // Rows that come before a table is there wait in the journal, so this need not keep anyone from starting.
    start: () =>
      prepare().catch((error: unknown) =>
        log.warn({ error }, 'the tables of the usage log were not prepared'),
      ),
  }
}
