import pg, { type ClientConfig } from 'pg'
import { Fault, faults } from '#kernel/errors'
import { isDatabaseDown } from '#kernel/db'
import type { Log } from '#kernel/log'
import { createFairQueue } from '../fair-queue.ts'
import { asFault } from './faults.ts'

export interface Taken {
  client: pg.PoolClient
  /** Whatever state a broken connection is in, nobody gets it again. */
  release(isBroken: boolean): void
}

/** The owner of what nobody asked for. */
export const ours = 'server'

/** The connections to one database: a pool for reading and one for writing, each with a fixed ceiling. */
export interface Connections {
  /** Owners (keys, people) take turns, and none has more than half of the connections. */
  take(access: 'read' | 'write', owner: string): Promise<Taken>
  /** Where a statement of this role is cancelled from. */
  config(access: 'read' | 'write'): ClientConfig
  /** The role that writes, if it is not the login itself. */
  writeAs: string | null
  close(): Promise<void>
}

/** More waiting calls of one owner are turned away at once: they would time out anyway. */
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
  const share = { places: size, perOwner: Math.max(1, Math.floor(size / 2)), maxWaiting, waitMs }
  const queues = { read: createFairQueue(share), write: createFairQueue(share) }
  return {
    async take(access, owner) {
      const leave = await queues[access].enter(owner)
      if (!leave) throw busy()
      try {
        const client = await pools[access].connect()
        return {
          client,
          release(isBroken) {
            client.release(isBroken)
            leave()
          },
        }
      } catch (error) {
        leave()
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
    'All connections to this database that you may use are in use. Try again in a moment.',
    {
      headers: { 'retry-after': '2' },
    },
  )
}
