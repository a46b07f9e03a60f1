import type { Meter } from '#gateway'
import type { Http } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
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
  const ledger = createLedger(deps)
  return {
    meter: ledger,
    routes(_app) {},
    jobs(_jobs) {},
    async start() {
      await ledger.start()
    },
    async stop() {
      await ledger.stop()
    },
  }
}
