import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Log } from '#kernel/log'
import { CallerPool } from './caller-pool.ts'
import { sessionTarget, type Target } from './connection.ts'
import { createListener, type Listener } from './listener.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'

export { relayCatchUp } from './across-workers.ts'
export { lockUntilCommit, tryWithLock, withLock, withOwnLock } from './advisory-lock.ts'
export { onBehalfOf } from './caller-pool.ts'
export { awaitDatabase, clientConfig, sessionTarget, type Target } from './connection.ts'
export { dumpTables, foreignTables, openDump, type Dump, type DumpPart } from './dump.ts'
export { databaseNames, startEmbedded, type EmbeddedServer } from './embedded.ts'
export { fillTables } from './fill.ts'
export { migrate, migrationState, type MigrationState } from './migrate.ts'
export { migrationNames, readMigration, tablesOfMigrations } from './migration-files.ts'
export { isDatabaseBusy, isDatabaseDown, isValueRefused } from './outage.ts'
export { detectPooling } from './pooler.ts'
export { borrowDatabase, joinDatabase, provideDatabase, type ProvidedDatabase } from './provide.ts'
export { inTransaction } from './transaction.ts'
export { clockAheadMs, describeClock, maxClockDifferenceMs, problemsOf, type Listener } from './listener.ts'
export type { PoolOptions } from './pool.ts'
export { serialized } from './serialized.ts'
export { SectionReader, type Section } from './sections.ts'
export { isStorable, storable, storableJson, storableText } from './storable.ts'

export interface Database {
  /** Typed queries for the tables that a feature owns. */
  tables<T>(): Kysely<T>
  pool: pg.Pool
  /** Sign-in, sessions and API keys, which must work while all other connections are busy. */
  identity: Pick<Database, 'pool' | 'tables'>
  /** Connections of their own for work that must not wait for other queries. Closed with the database. */
  openPool(options: PoolOptions): Pick<Database, 'pool' | 'tables'>
  /** For locks by name, which belong to a session. Behind a pooler they go to the database directly. */
  sessions: pg.Pool
  /** The connections, by what they are for. */
  pools: Readonly<Record<string, Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>>
  target: Target
  /** LISTEN on a channel, over a separate connection that is reopened when it is lost. */
  listener: Listener
  close(): Promise<void>
}

export interface DatabaseSettings {
  DATABASE_POOL_SIZE: number
  DATABASE_QUERY_TIMEOUT_MS: number
  DATABASE_STATEMENT_TIMEOUT_MS: number
}

const defaults: DatabaseSettings = {
  DATABASE_POOL_SIZE: 10,
  DATABASE_QUERY_TIMEOUT_MS: 60_000,
  DATABASE_STATEMENT_TIMEOUT_MS: 30_000,
}
/** The share of the connections for requests that one caller may use at once. */
const maxSharePerCaller = 0.4
const connectionWaitMs = 5_000
/** A key that cannot be looked up in this time stays as it is known, so the time is part of how late a revocation may be. */
const identity = { max: 3, statementMs: 5_000, silentMs: 5_000 }
/** Waiting for a lock is no sign of a dead connection for a while. */
const lockWaitMs = 600_000

export function openDatabase(target: Target, log: Log, settings = defaults): Database {
  const max = settings.DATABASE_POOL_SIZE
  const silentMs = settings.DATABASE_QUERY_TIMEOUT_MS
  const sessions = createPool(sessionTarget(target), log, { max, silentMs: lockWaitMs })
  const opened = [sessions]
  const openPool = (options: PoolOptions, to = target): Pool => {
    const further = createPool(to, log, options)
    opened.push(further)
    return further
  }
  const requests = openPool({ max, silentMs, statementMs: settings.DATABASE_STATEMENT_TIMEOUT_MS })
  const background = openPool({ max, silentMs })
  // A pooler keeps connections that are dead and gives them out one after the other, each for as long as its limit.
  const ofIdentity = openPool(identity, sessionTarget(target))
  const pool = new CallerPool({
    requests,
    background,
    maxPerCaller: Math.ceil(max * maxSharePerCaller),
    waitMs: connectionWaitMs,
  })
  const listener = createListener(sessionTarget(target), log, () => {
    for (const each of opened) each.discardIdle()
  })
  return {
    ...withTables(pool),
    identity: withTables(ofIdentity),
    pools: { requests, background, identity: ofIdentity, sessions },
    openPool: (options) => withTables(openPool(options)),
    sessions,
    target,
    listener,
    async close() {
      await listener.close()
      await Promise.all(opened.map((each) => each.close()))
    },
  }
}

function withTables(pool: pg.Pool): Pick<Database, 'pool' | 'tables'> {
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return { pool, tables: <T>() => queries as Kysely<T> }
}
