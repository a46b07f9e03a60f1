import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Log } from '#kernel/log'
import { sessionTarget, type Target } from './connection.ts'
import { createListener, type Listener } from './listener.ts'
import { createPool, type PoolOptions } from './pool.ts'

export { lockUntilCommit, tryWithLock, withLock } from './advisory-lock.ts'
export { awaitDatabase, clientConfig, sessionTarget, type Target } from './connection.ts'
export { dumpTables } from './dump.ts'
export { databaseNames, startEmbedded, type EmbeddedServer } from './embedded.ts'
export { fillTables } from './fill.ts'
export { migrate, migrationNames, migrationState, type MigrationState } from './migrate.ts'
export { isDatabaseDown } from './outage.ts'
export { borrowDatabase, joinDatabase, provideDatabase, type ProvidedDatabase } from './provide.ts'
export { inTransaction } from './transaction.ts'
export type { Listener } from './listener.ts'
export type { PoolOptions } from './pool.ts'
export { isStorable, storable, storableJson, storableText } from './storable.ts'

export interface Database {
  /** Typed queries for the tables that a feature owns. */
  tables<T>(): Kysely<T>
  pool: pg.Pool
  /** Connections of their own for work that must not wait for other queries. Closed with the database. */
  openPool(options: PoolOptions): { pool: pg.Pool; tables<T>(): Kysely<T> }
  /** For locks by name, which belong to a session. Behind a pooler they go to the database directly. */
  sessions: pg.Pool
  target: Target
  /** LISTEN on a channel, over a separate connection that is reopened when it is lost. */
  listener: Listener
  close(): Promise<void>
}

export interface DatabaseSettings {
  DATABASE_POOL_SIZE: number
  DATABASE_QUERY_TIMEOUT_MS: number
}

const defaults: DatabaseSettings = { DATABASE_POOL_SIZE: 10, DATABASE_QUERY_TIMEOUT_MS: 60_000 }
/** Waiting for a lock is no sign of a dead connection for a while. */
const lockWaitMs = 600_000

export function openDatabase(target: Target, log: Log, settings = defaults): Database {
  const max = settings.DATABASE_POOL_SIZE
  const pools = [
    createPool(target, log, { max, silentMs: settings.DATABASE_QUERY_TIMEOUT_MS }),
    createPool(sessionTarget(target), log, { max, silentMs: lockWaitMs }),
  ] as const
  const opened = [...pools]
  const [pool, sessions] = pools
  const queries = queriesOf(pool)
  const listener = createListener(sessionTarget(target), log, () => {
    for (const each of opened) each.discardIdle()
  })
  return {
    tables: <T>() => queries as Kysely<T>,
    pool,
    openPool(options) {
      const further = createPool(target, log, options)
      opened.push(further)
      const built = queriesOf(further)
      return { pool: further, tables: <T>() => built as Kysely<T> }
    },
    sessions,
    target,
    listener,
    async close() {
      await listener.close()
      await Promise.all(opened.map((each) => each.end()))
    },
  }
}

const queriesOf = (pool: pg.Pool): Kysely<unknown> => new Kysely({ dialect: new PostgresDialect({ pool }) })
