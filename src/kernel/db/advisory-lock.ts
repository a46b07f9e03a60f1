import { sql, Transaction } from 'kysely'
import type pg from 'pg'

/*
 * Locks by name that all processes on one database share. PostgreSQL releases them when the holder's connection
 * ends, so a killed process leaves none behind.
 */

/** What does not wait for others is answered within this time, unless the connection is dead. */
const answerMs = 5_000

const keyOf = (name: string): string => `signalbox ${name}`

/** Waits for the lock, which is held until the transaction ends. */
export async function lockUntilCommit<T>(
  transaction: Transaction<T> | pg.ClientBase,
  name: string,
): Promise<void> {
  if (transaction instanceof Transaction)
    await sql`select pg_advisory_xact_lock(hashtextextended(${keyOf(name)}, 0))`.execute(transaction)
  else await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [keyOf(name)])
}

/** Waits for the lock and holds it while the work runs. The lock takes a connection of `database.sessions`. */
export async function withLock<T>(sessions: pg.Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await takeLock(sessions, name)
  return unlockAfter(client, name, work)
}

/** The same for a lock that nobody else holds for long: a connection that does not answer is dead. */
export async function withOwnLock<T>(sessions: pg.Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await takeLock(sessions, name, answerMs)
  return unlockAfter(client, name, work)
}

/** Runs the work unless another process holds the lock. False: one does, and nothing was run. */
export async function tryWithLock(
  sessions: pg.Pool,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const { client, isTaken } = await tryLock(sessions, name)
  if (isTaken) await unlockAfter(client, name, work)
  else client.release()
  return isTaken
}

/** Nobody waits before the connection has answered once: a dead one would be waited for as long as another's work. */
async function takeLock(sessions: pg.Pool, name: string, waitMs?: number): Promise<pg.PoolClient> {
  const { client, isTaken } = await tryLock(sessions, name)
  if (!isTaken) await ask(client, 'select from pg_advisory_lock(hashtextextended($1, 0))', name, waitMs)
  return client
}

async function tryLock(
  sessions: pg.Pool,
  name: string,
): Promise<{ client: pg.PoolClient; isTaken: boolean }> {
  const client = await sessions.connect()
  const text = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken'
  const { rows } = await ask(client, text, name, answerMs)
  return { client, isTaken: rows[0]?.taken === true }
}

async function ask(client: pg.PoolClient, text: string, name: string, query_timeout?: number) {
  const query = { text, values: [keyOf(name)], ...(query_timeout !== undefined && { query_timeout }) }
  try {
    return await client.query<{ taken?: boolean }>(query)
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function unlockAfter<T>(client: pg.PoolClient, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    const unlock: pg.QueryConfig & { query_timeout: number } = {
      text: 'select pg_advisory_unlock(hashtextextended($1, 0))',
      values: [keyOf(name)],
      query_timeout: answerMs,
    }
    // A connection that cannot unlock is closed, which releases the lock.
    await client.query(unlock).then(
      () => client.release(),
      () => client.release(true),
    )
  }
}
