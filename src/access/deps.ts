import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'

export interface AccessDeps {
  database: Database
  config: Config
  events: Events
  log: Log
  version: string
}
