import pg from 'pg'
import { loadConfig } from '#kernel/config'
import { borrowDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'

/** A superuser on a database of a running server with an embedded PostgreSQL. */
export async function connectTo(environment: Record<string, string>, database: string): Promise<pg.Client> {
  const log = await createLog({ level: 'silent', form: 'json' })
  const { target } = await borrowDatabase(loadConfig(environment), log)
  if (target.kind !== 'embedded') throw new Error('Tests run on the embedded server')
  const client = new pg.Client({ ...target.address, database })
  // The server stops it when it is killed.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
