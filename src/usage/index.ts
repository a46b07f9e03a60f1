import type { Kysely } from 'kysely'
import type { Meter } from '#gateway'
import type { Part } from '#kernel/part'
import { createCorrectCosts } from './cost/correct-costs.ts'
import { createEstimator } from './cost/estimate.ts'
import { createListCosts, type ListCost } from './cost/list-costs.ts'
import { createPriceCatalog } from './cost/price-catalog.ts'
import { pricingRoutes } from './cost/pricing-routes.ts'
import { createPricing } from './cost/pricing.ts'
import type { UsageDeps } from './deps.ts'
import { createForLimits } from './for-limits.ts'
import { createLedger } from './ledger/index.ts'
import { createUsageLog } from './log/index.ts'
import { keptFrom } from './log/retention.ts'
import { createLogSearchKind } from './log/search-kind.ts'
import { createSessionUsage, type SessionUsage } from './log/sessions.ts'
import type { UsageTables } from './tables.ts'

export { repriceUsage, setPriceFrom } from './cost/commands.ts'
export type { RepricedModel } from './cost/reprice.ts'
export { inspectJournal, journalFolder } from './ledger/inspect-journal.ts'
export type { UsageDeps } from './deps.ts'
export type { ModelCost, SessionCall } from './log/session-store.ts'
export type { SessionUsage } from './log/sessions.ts'

export interface Usage extends Part {
  /** Where the gateway records its requests. */
  meter: Meter
  sessions: SessionUsage
  /** Requests that have ended are in the log, as far as the database takes them. */
  caughtUp(): Promise<void>
  forLimits: ReturnType<typeof createForLimits>
  /** What tokens that others used would have cost since a time, by the list prices of their models. */
  listCosts(groupId: string, since: Date): Promise<ListCost>
  /** The first day of which requests are kept; null: all are. */
  logKeptFrom(): Date | null
  /** The price that a request for the model would have now, for model lists. */
  listPrice(
    groupId: string,
    provider: string,
    model: string,
  ): { inputPrice: string | null; outputPrice: string | null; audioSecondPrice: string | null } | null
}

/**
 * The usage log: every request, recorded before it is served, with its cost and how the cost was calculated.
 *
 * @example
 * const usage = createUsage({ ...kernel, builtInPrices, providerOf, syncedPrices, names })
 * const request = await usage.meter.open(entry) // before the upstream call
 * request.settle(outcome) // always, in `finally`
 */
export function createUsage(deps: UsageDeps): Usage {
  const prices = createPriceCatalog(deps)
  const estimator = createEstimator(deps)
  const ledger = createLedger({ ...deps, prices, estimator })
  const log = createUsageLog(deps, () => ledger.caughtUp())
  const db: Kysely<UsageTables> = deps.database.tables()
  const correctCosts = createCorrectCosts(db, deps.builtInPrices, deps.log)
  const pricing = createPricing({ ...deps, db, prices, correctCosts })
  return {
    name: 'usage',
    meter: ledger,
    caughtUp: () => ledger.caughtUp(),
    forLimits: createForLimits(db, prices, () => ledger.caughtUp()),
    sessions: createSessionUsage(deps.database.tables(), () => ledger.caughtUp()),
    listCosts: createListCosts(prices, deps.providerOf),
    logKeptFrom() {
      const days = deps.config.USAGE_LOG_RETENTION_DAYS
      return days === undefined ? null : keptFrom(new Date(), days)
    },
    listPrice(groupId, provider, model) {
      const row = prices.priceFor(groupId, provider, model, new Date())?.row
      if (!row) return null
      const { input_price_per_1m: inputPrice, output_price_per_1m: outputPrice } = row
      const audioSecondPrice = row.unit_prices?.['audio_seconds'] ?? null
      // Tokens that cost nothing beside the seconds would look like a free model.
      const isByTime = audioSecondPrice !== null && Number(inputPrice) === 0 && Number(outputPrice) === 0
      return isByTime
        ? { inputPrice: null, outputPrice: null, audioSecondPrice }
        : { inputPrice, outputPrice, audioSecondPrice }
    },
    routes(app) {
      log.routes(app, deps.names)
      pricingRoutes(app, pricing)
    },
    jobs(jobs) {
      log.jobs(jobs)
    },
    async health(database) {
      if (database === 'down') return 'unavailable'
      return ledger.isWritable() ? 'ready' : 'degraded'
    },
    problem: () => (ledger.isWritable() ? undefined : 'requests cannot be written to the usage journal'),
    // Labels, metadata and errors of the log.
    searchKinds: [createLogSearchKind(deps.database.tables())],
    async start() {
      await prices.start()
      await log.start()
      await ledger.start()
    },
    async stop() {
      await ledger.stop()
    },
  }
}
