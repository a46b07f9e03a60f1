import pg, { type ClientConfig } from 'pg'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults, messageOf } from '#kernel/errors'
import { mask } from '#kernel/mask'

/** Logs in once, for questions and set-ups of ours. */
export async function asLogin<T>(config: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  // A connection that is lost between two queries must not end the process; the next query fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    if (error instanceof Fault || isRefused(error) || !isDatabaseDown(error)) throw error
    throw new Fault(faults.unavailable, 'The database cannot be reached. Try again later.', {
      internal: mask(messageOf(error)),
      headers: { 'retry-after': '5' },
      cause: error,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** All statements or none. */
export async function inTransaction(config: ClientConfig, statements: readonly string[]): Promise<void> {
  await asLogin(config, async (client) => {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  })
}

/** The same address with another login. */
export function loggedIn(address: ClientConfig, user: string, password: string): ClientConfig {
  const { connectionString } = address
  if (connectionString === undefined) return { ...address, user, password }
  const url = new URL(connectionString)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return { ...address, connectionString: url.href }
}

export function databaseOf(config: ClientConfig): string {
  if (config.database !== undefined) return config.database
  const name = new URL(config.connectionString ?? '').pathname.slice(1)
  return decodeURIComponent(name)
}

const refusals = /^(28|3D000|42501|42704)/

/** The server answered and did not let us in: a wrong password, a missing role or database, a rule of pg_hba.conf. */
export function isRefused(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string }
  // PgBouncer has one code for everything, which is also that of a lost connection.
  return refusals.test(code ?? '') || /no such user|authentication failed|no authentication/i.test(message)
}
