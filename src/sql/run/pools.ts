import pg, { type ClientConfig } from 'pg'
import { Fault, faults } from '#kernel/errors'
import { isDatabaseDown } from '#kernel/db'
import type { Log } from '#kernel/log'
import { asFault } from './faults.ts'

/** The connections to one database: a pool for reading and one for writing, each with a fixed ceiling. */
export interface Connections {
  take(access: 'read' | 'write'): Promise<pg.PoolClient>
  /** Where a statement of this role is cancelled from. */
  config(access: 'read' | 'write'): ClientConfig
  /** The role that writes, if it is not the login itself. */
  writeAs: string | null
  close(): Promise<void>
}

/** More waiting calls than this are turned away at once: they would time out anyway. */
const maxWaiting = 200
const waitMs = 15_000

export function createConnections(
  logins: { reader: ClientConfig; agent: ClientConfig; writeAs: string | null },
  size: number,
  log: Log,
  /** Says how to repair a login that the server refuses. */
  refused: (error: unknown) => unknown,
): Connections {
  const configs = { read: logins.reader, write: logins.agent }
  const pools = { read: poolOf(logins.reader, size, log), write: poolOf(logins.agent, size, log) }
  return {
    async take(access) {
      const pool = pools[access]
      if (pool.waitingCount >= maxWaiting) throw busy()
      try {
        return await pool.connect()
      } catch (error) {
        if (error instanceof Error && /timeout exceeded/.test(error.message) && !isRefused(error))
          throw busy()
        throw asFault(refused(error), waitMs)
      }
    },
    config: (access) => configs[access],
    writeAs: logins.writeAs,
    close: async () => void (await Promise.all([pools.read.end(), pools.write.end()])),
  }
}

function poolOf(config: ClientConfig, size: number, log: Log): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    application_name: 'signalbox sql',
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: waitMs,
    allowExitOnIdle: true,
  })
  const lost = (error: Error): void =>
    log.debug({ reason: error.message }, 'a connection of the SQL proxy was lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}

const isRefused = (error: Error): boolean => isDatabaseDown({ code: (error as { code?: string }).code })

function busy(): Fault {
  return new Fault(
    faults.unavailable,
    'All connections to this database are in use. Try again in a moment.',
    {
      headers: { 'retry-after': '2' },
    },
  )
}
