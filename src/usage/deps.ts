import type { SyncedPrice } from '#gateway'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'

/** Names of keys for people, by id; those that were revoked are there too. */
export type KeyNames = (groupId: string) => Promise<ReadonlyMap<string, string>>

/** What the log shows of other parts: names for the ids in it. */
export interface LogNames {
  /** The id for a provider's id or the specification's word for it. */
  resolveProvider(groupId: string, word: string): string | undefined
  apiKeyNames: KeyNames
  providerKeyNames: KeyNames
}

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
  /** Names for the ids in the log. */
  names: LogNames
}
