import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { RecordWriter } from '#records/contract'
import type { SecretStore } from '#vault'
import { createApply } from './apply.ts'
import { createDeliveries } from './deliveries.ts'
import { createHookCache } from './hook-cache.ts'
import { createHooks } from './hooks.ts'
import { deliverRoutes } from './routes/deliver.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { manageRoutes } from './routes/manage.ts'
import type { WebhookTables } from './tables.ts'
import { deleteOldCommits } from './commit-store.ts'
import { countPending, deleteOldDeliveries } from './delivery-store.ts'
import { deleteOldPullRequests } from './pull-request-store.ts'

export interface WebhookDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  records: RecordWriter
  secrets: SecretStore
}

/**
 * What other tools send: deployments, issues, alerts and pushes, verified, stored and turned into records.
 *
 * @example
 * parts.push(createWebhooks({ ...kernel, records: records.writer, secrets: vault.secrets }))
 */
export function createWebhooks({ config, database, events, log, records, secrets }: WebhookDeps): Part {
  const db: Kysely<WebhookTables> = database.tables()
  const cache = createHookCache(db, secrets, log)
  const hooks = createHooks({ db, secrets, events, onChange: cache.invalidate })
  const deliveries = createDeliveries(db, createApply({ db, events, records }))
  return {
    name: 'webhooks',
    role: 'platform',
    routes(app) {
      manageRoutes(app, { config, hooks })
      deliveryRoutes(app, { deliveries })
      deliverRoutes(app, { hooks: cache, deliveries })
    },
    jobs(jobs) {
      jobs.define('webhooks.delete-old', () => deleteOld(db, config.WEBHOOK_RETENTION_DAYS), {
        cron: '41 3 * * *',
      })
      jobs.define('webhooks.resume', () => deliveries.resume(), { cron: '* * * * *' })
    },
    queues: { webhooks: () => countPending(db) },
    async start() {
      await database.listener.on('webhooks_changed', cache.invalidate, cache.invalidate)
      deliveries
        .resume()
        .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'deliveries were not resumed'))
    },
  }
}

const dayMs = 86_400_000
const portion = 500
/** A commit may be deployed long after its push. */
const commitDays = 400

async function deleteOld(db: Kysely<WebhookTables>, deliveryDays: number): Promise<void> {
  const before = (days: number): Date => new Date(Date.now() - days * dayMs)
  while ((await deleteOldDeliveries(db, before(deliveryDays), portion)) === portion);
  while ((await deleteOldCommits(db, before(commitDays), portion)) === portion);
  while ((await deleteOldPullRequests(db, before(commitDays), portion)) === portion);
}
