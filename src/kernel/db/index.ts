import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#kernel/log'
import { clientConfig, type Target } from './connection.ts'
import { createListener, type Listener } from './listener.ts'

export { lockUntilCommit, tryWithLock, withLock } from './advisory-lock.ts'
export { awaitDatabase, clientConfig, type Target } from './connection.ts'
export { dumpTables } from './dump.ts'
export { databaseNames, startEmbedded, type EmbeddedServer } from './embedded.ts'
export { fillTables } from './fill.ts'
export { migrate, migrationNames, migrationState, type MigrationState } from './migrate.ts'
export { isDatabaseDown } from './outage.ts'
export { borrowDatabase, joinDatabase, provideDatabase, type ProvidedDatabase } from './provide.ts'
export { inTransaction } from './transaction.ts'
export type { Listener } from './listener.ts'
export { isStorable, storable, storableJson, storableText } from './storable.ts'

export interface Database {
  /** Typed queries for the tables that a feature owns. */
  tables<T>(): Kysely<T>
  pool: pg.Pool
  target: Target
  /** LISTEN on a channel, over a separate connection that is reopened when it is lost. */
  listener: Listener
  close(): Promise<void>
}

const poolSize = 10

export function openDatabase(target: Target, log: Log): Database {
  const pool = new pg.Pool({
    ...clientConfig(target),
    max: poolSize,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  })
  let isClosing = false
  const lost = (error: Error): void =>
    void (isClosing || log.warn({ reason: error.message }, 'a database connection was lost'))
  // Without a handler a lost connection ends the process, whether idle or between two queries of a transaction. The
  // pool replaces it.
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const listener = createListener(target, log)
  return {
    tables: <T>() => queries as Kysely<T>,
    pool,
    target,
    listener,
    async close() {
      isClosing = true
      await listener.close()
      await queries.destroy()
    },
  }
}
