import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log, Secret } from '#kernel/log'

export interface AccessDeps {
  database: Database
  config: Config
  events: Events
  log: Log
  version: string
  /** Signs session cookies. Commands set none: they sign nothing. */
  sessionSecret?: Secret
  /** Overrides by the ids of the providers; rejects with a Fault that names what is not valid. Commands set none. */
  resolveOverrides?: ResolveOverrides
  /** Where this server listens; empty until it does. */
  address?(): string
}

export type ResolveOverrides = (
  groupId: string,
  overrides: Readonly<Record<string, string>>,
) => Promise<Record<string, string>>
