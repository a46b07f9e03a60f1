import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '#kernel/log'
import { clientConfig, sessionTarget, type Target } from './connection.ts'

export interface PoolOptions {
  /** Maximum number of connections. */
  max: number
  /** A connection whose query gets no bytes from the server for this long is closed. */
  silentMs: number
  /** The server ends a statement that takes longer. */
  statementMs?: number
}

/** A pool that throws away connections on which the server no longer responds. */
export interface Pool extends pg.Pool {
  /** Closes the connections that nobody uses; the next query opens a new one. */
  discardIdle(): void
  /** Says goodbye to the server, and ends the connections on which it does not answer that in time. */
  close(): Promise<void>
}

/** Of work that still runs, and of the server's answer. */
const goodbyeMs = 5_000

/** What the driver has and its types do not. */
interface Inside {
  connection: { stream: Socket }
  readyForQuery: boolean
}
const inside = (client: pg.PoolClient): Inside => client as unknown as Inside

/** TCP keep-alive does not notice a dead connection while a query waits for its response, so each has a limit. */
export function createPool(target: Target, log: Log, { max, statementMs, ...options }: PoolOptions): Pool {
  // Behind a pooler a setting would stay with a connection that others get, so the client is who gives up.
  const isPooled = target !== sessionTarget(target)
  const silentMs = isPooled && statementMs !== undefined ? statementMs : options.silentMs
  const pool = new pg.Pool({
    ...clientConfig(target),
    max,
    idleTimeoutMillis: 30_000,
    ...(!isPooled && { verify: prepareSession(statementMs) }),
  })
  const idle = new Set<pg.PoolClient>()
  const all = new Set<pg.PoolClient>()
  const lost = (error: Error): void => {
    if (!pool.ending) log.warn({ reason: error.message }, 'a database connection was lost')
  }
  const discardIdle = (): void => {
    for (const client of idle) inside(client).connection.stream.destroy()
  }
  // Without a handler a lost connection ends the process, whether idle or between two queries of a transaction. The
  // pool replaces it.
  pool.on('error', lost)
  pool.on('connect', (client) => {
    client.on('error', lost)
    all.add(client)
    if (isPooled) prepareNothing(client)
    const { stream } = inside(client).connection
    stream.on('close', () => all.delete(client))
    stream.on('timeout', () => {
      if (inside(client).readyForQuery) return
      stream.destroy(silence(silentMs))
      // They share the way to the server, so they are probably dead too.
      discardIdle()
    })
  })
  pool.on('acquire', (client) => {
    idle.delete(client)
    inside(client).connection.stream.setTimeout(silentMs)
  })
  pool.on('release', (_error, client) => {
    inside(client).connection.stream.setTimeout(0)
    idle.add(client)
  })
  pool.on('remove', (client) => idle.delete(client))
  const close = async (): Promise<void> => {
    const cut = setTimeout(() => {
      for (const client of all) inside(client).connection.stream.destroy()
    }, goodbyeMs)
    await pool.end().finally(() => clearTimeout(cut))
  }
  return Object.assign(pool, { discardIdle, close })
}

const answerMs = 5_000

/**
 * Before anybody uses a connection. When a machine disappears PostgreSQL would keep its locks and open transactions for
 * two hours, and others would wait for them: it asks a silent client after 10 s, and ends the session 15 s later.
 */
const prepareSession = (statementMs: number | undefined) => {
  const settings = ['tcp_keepalives_idle = 10', 'tcp_keepalives_interval = 5', 'tcp_keepalives_count = 3']
  if (statementMs !== undefined) settings.push(`statement_timeout = ${statementMs}`)
  const text = settings.map((setting) => `set ${setting}`).join('; ')
  return (client: pg.ClientBase, done: (error?: Error) => void): void =>
    client.query({ text, query_timeout: answerMs } as pg.QueryConfig, (error: Error | undefined) =>
      done(error),
    )
}

/** Behind a pooler the next transaction may reach a connection that knows no statement of that name. */
function prepareNothing(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const named = (given: unknown): given is pg.QueryConfig =>
    typeof given === 'object' && given !== null && 'text' in given && 'name' in given
  Object.assign(client, {
    query: (first: unknown, ...rest: unknown[]) =>
      query(named(first) ? { ...first, name: undefined } : first, ...rest),
  })
}

const silence = (ms: number): Error =>
  Object.assign(new Error(`the database did not respond within ${ms} ms`), { code: 'ETIMEDOUT' })
