import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { SecretStore } from '#vault'
import { createLogins } from './logins.ts'
import { createPlaces, type Places } from './places.ts'
import type { ReadyDeps } from './ready.ts'
import type { DatabaseTables } from './tables.ts'

export interface OfferDeps {
  config: Config
  database: Database
  secrets: SecretStore
  firstGroup(): Promise<string>
}

/** What the server and the commands need to find databases and to get them ready. */
export function offerDatabases(deps: OfferDeps): { places: Places; ready: ReadyDeps } {
  const { config, database, secrets, firstGroup } = deps
  const db: Kysely<DatabaseTables> = database.tables()
  return {
    places: createPlaces({ config, target: database.target, db, secrets, firstGroup }),
    ready: { database, db, logins: createLogins(db, secrets), poolSize: config.SQL_POOL_SIZE },
  }
}
