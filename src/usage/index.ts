import type { Meter } from '#gateway'
import type { Http } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
import { createEstimator } from './cost/estimate.ts'
import { createPriceBook } from './cost/price-book.ts'
import type { UsageDeps } from './deps.ts'
import { createLedger } from './ledger/index.ts'

export type { UsageDeps } from './deps.ts'

export interface Usage {
  /** Where the gateway enters its requests. */
  meter: Meter
  routes(app: Http): void
  jobs(jobs: Jobs): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Every request, what it cost and why: entered before it is served, kept whatever happens, told on demand. */
export function createUsage(deps: UsageDeps): Usage {
  const prices = createPriceBook(deps)
  const estimator = createEstimator()
  const ledger = createLedger({ ...deps, prices, estimator })
  return {
    meter: ledger,
    routes(_app) {},
    jobs(_jobs) {},
    async start() {
      await prices.start()
      await ledger.start()
    },
    async stop() {
      await ledger.stop()
      await estimator.stop()
      await prices.stop()
    },
  }
}
