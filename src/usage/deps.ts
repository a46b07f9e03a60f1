import type { SyncedPrice } from '#gateway'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'

export interface UsageDeps {
  database: Database
  config: Config
  events: Events
  log: Log
  metrics: Metrics
  /** What the providers' own lists say their models cost. */
  syncedPrices(): Promise<readonly SyncedPrice[]>
  /** The provider that a group's requests for the model go to. */
  providerOf(groupId: string, model: string): string | null
}
