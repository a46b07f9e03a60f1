import pg from 'pg'
import { StartFault } from '#kernel/errors'
import { clientConfig, sessionTarget, type Target } from './connection.ts'

/** A pooler in transaction mode gives every transaction another connection of the server. */
export type Pooling = 'none' | 'session' | 'transaction'

const rounds = 5

/** Finds out by what it does, since PgBouncer and its relatives do not say. */
export async function detectPooling(target: Target): Promise<Pooling> {
  const [one, other] = [new pg.Client(clientConfig(target)), new pg.Client(clientConfig(target))]
  one.on('error', () => undefined)
  other.on('error', () => undefined)
  try {
    await one.connect()
    const first = await serverProcess(one)
    // The number that the driver was given at the start is the server's own, unless something is in between.
    if ((one as unknown as { processID: number }).processID === first) return 'none'
    await other.connect()
    for (let round = 0; round < rounds; round++) {
      if ((await serverProcess(one)) !== first) return 'transaction'
      await other.query('begin')
      const taken = await serverProcess(other)
      const after = taken === first ? undefined : await serverProcess(one)
      await other.query('rollback')
      if (after !== first) return 'transaction'
    }
    return 'session'
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)))
  }
}

async function serverProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Refuses an address through which notifications, locks and migrations would silently fail. */
export async function requireSessions(target: Target): Promise<Pooling> {
  if (target.kind === 'embedded') return 'none'
  const pooling = await detectPooling(target)
  if (pooling !== 'transaction' && !target.directUrl) return pooling
  if (!target.directUrl)
    throw new StartFault(
      'DATABASE_URL: a pooler in transaction mode (such as PgBouncer with pool_mode = transaction) is in between. Notifications, locks and migrations need sessions of their own: set DATABASE_DIRECT_URL to the address of the database itself, or use pool_mode = session.',
    )
  const direct = sessionTarget(target)
  if ((await detectPooling(direct)) === 'transaction')
    throw new StartFault(
      'DATABASE_DIRECT_URL: a pooler in transaction mode is in between here too. Give the address of the database itself.',
    )
  if ((await identity(target)) !== (await identity(direct)))
    throw new StartFault(
      'DATABASE_DIRECT_URL: this is not the database of DATABASE_URL. Give the address of the same one.',
    )
  return pooling
}

async function identity(target: Target): Promise<string> {
  const client = new pg.Client(clientConfig(target))
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select oid || ' ' || pg_postmaster_start_time() as identity from pg_database
       where datname = current_database()`,
    )
    return rows[0]?.identity ?? ''
  } finally {
    await client.end()
  }
}
