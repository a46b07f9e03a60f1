import pg, { escapeIdentifier, escapeLiteral, type ClientConfig, type PoolClient, type QueryConfig } from 'pg'
import { asFault } from './faults.ts'
import type { Connections } from './pools.ts'

export interface SessionOptions {
  access: 'read' | 'write'
  /** The key or person who asks. */
  owner: string
  statementMs: number
  lockMs: number
  signal: AbortSignal
  /** Whether what was done stays. */
  ending: 'commit' | 'rollback'
}

/**
 * Runs work in one transaction of the role, with limits that the statement cannot lift: PostgreSQL's own timeouts, and
 * a timer here that cancels from another connection. Nothing of the session is left for the next call.
 */
export async function inSession<T>(
  connections: Connections,
  options: SessionOptions,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  options.signal.throwIfAborted()
  const { client, release } = await connections.take(options.access, options.owner)
  const guard = guardOf(client, connections.config(options.access), options)
  try {
    options.signal.throwIfAborted()
    await client.query({
      text: beginning(options, connections.writeAs),
      query_timeout: answerMs,
    } as QueryConfig)
    const result = await work(client)
    await client.query(options.ending)
    // A statement may have left settings, prepared statements, locks or notifications behind.
    await client.query('discard all')
    guard.end()
    release(false)
    return result
  } catch (error) {
    guard.end()
    // Closing the connection rolls back.
    release(true)
    options.signal.throwIfAborted()
    throw asFault(error, options.statementMs)
  }
}

function beginning({ access, owner, statementMs, lockMs }: SessionOptions, writeAs: string | null): string {
  return [
    `begin ${access === 'read' ? 'read only' : 'read write'}`,
    // The login has the same rights by inheritance, so nothing is gained by setting it back.
    ...(access === 'write' && writeAs !== null ? [`set local role ${escapeIdentifier(writeAs)}`] : []),
    `set local statement_timeout = ${statementMs}`,
    `set local lock_timeout = ${lockMs}`,
    `set local idle_in_transaction_session_timeout = 30000`,
    `set local application_name = ${escapeLiteral(applicationOf(owner))}`,
    ...memoryLimits,
  ].join('; ')
}

/** Memory of one statement. Parallel workers and compiled queries would each take it once more. */
const memoryLimits = [
  `set local work_mem = '16MB'`,
  'set local hash_mem_multiplier = 1',
  `set local maintenance_work_mem = '64MB'`,
  'set local max_parallel_workers_per_gather = 0',
  'set local max_parallel_maintenance_workers = 0',
  'set local jit = off',
]

/** By this name a caller's own sessions are told apart from those of others; PostgreSQL cuts names at 63 bytes. */
const applicationOf = (owner: string): string => `signalbox sql ${owner}`.slice(0, 60)

const graceMs = 2_000
/** As long as for a connection: a pooler may let the beginning wait for one. A connection that says nothing longer is half open. */
const answerMs = 15_000

/** Cancels the statement when time is up or nobody waits for it; a connection that does not react is cut. */
function guardOf(
  client: PoolClient,
  config: ClientConfig,
  { statementMs, signal }: SessionOptions,
): { end(): void } {
  const { processID: pid } = client as unknown as { processID: number }
  let cut: NodeJS.Timeout | undefined
  const cancel = (): void => {
    cut = setTimeout(() => cutConnection(client), graceMs)
    cut.unref()
    void cancelFromOutside(config, pid).catch(() => cutConnection(client))
  }
  const timer = setTimeout(cancel, statementMs + graceMs)
  timer.unref()
  signal.addEventListener('abort', cancel, { once: true })
  return {
    end() {
      clearTimeout(timer)
      clearTimeout(cut)
      signal.removeEventListener('abort', cancel)
    },
  }
}

export function cutConnection(client: PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

async function cancelFromOutside(config: ClientConfig, pid: number): Promise<void> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: graceMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [pid])
  } finally {
    await client.end().catch(() => undefined)
  }
}
