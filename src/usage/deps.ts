import type { SyncedPrice } from '#gateway'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'
import type { PriceSources } from './cost/built-in.ts'

/** Names of keys by id, including revoked keys. */
export type KeyNames = (groupId: string) => Promise<ReadonlyMap<string, string>>

/** Names from other parts for the ids in the log. */
export interface LogNames {
  /** The provider's id for its id or its name in the specification. */
  resolveProvider(groupId: string, word: string): string | undefined
  apiKeyNames: KeyNames
  /** The agents whose runs keys belong to. Every run has a key of its own, and people look for the agent. */
  runKeyAgents: KeyNames
  providerKeyNames: KeyNames
  /** The people who made keys. */
  keyPeople(groupId: string): Promise<ReadonlyMap<string, { id: string; name: string }>>
}

export interface UsageDeps {
  database: Database
  config: Config
  events: Events
  log: Log
  metrics: Metrics
  /** Prices from the providers' model lists. */
  syncedPrices(): Promise<readonly SyncedPrice[]>
  builtInPrices: PriceSources
  /** The provider that a group's requests for the model go to. */
  providerOf(groupId: string, model: string): string | null
  /** Names for the ids in the log. */
  names: LogNames
}
