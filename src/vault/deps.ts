import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log, Secret } from '#kernel/log'

export interface ProviderInfo {
  id: string
  specName: string | null
  name: string
  baseUrl: string
  docsUrl: string
  isActive: boolean
  /** Added by an owner of the group. */
  isCustom: boolean
  prefixes: readonly string[]
}

/** Passed in, so that the vault does not depend on the gateway. */
export interface ProviderDirectory {
  list(groupId: string): ProviderInfo[]
  /** Accepts ids and the names of the specification; undefined if unknown. */
  resolveId(groupId: string, word: string): string | undefined
}

export interface VaultDeps {
  database: Database
  config: Config
  events: Events
  log: Log
  masterKey: Secret
  providers: ProviderDirectory
}
