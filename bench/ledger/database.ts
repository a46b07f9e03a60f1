import pg from 'pg'
import { startEmbedded, type EmbeddedServer } from '#kernel/db'
import { createLog } from '#kernel/log'
import { useSeed } from '#test/seed'
import { freePort } from '#test/free-port'

export interface BenchDatabase {
  /** For DATABASE_URL. */
  url: string
  query<T extends pg.QueryResultRow>(text: string): Promise<T[]>
  /** Stops the server, as for an outage, and starts it again. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** A PostgreSQL of the bench's own, which the measured process knows as an external one. */
export async function startDatabase(folder: string): Promise<BenchDatabase> {
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  // Over TCP on a port of its own: a socket's folder may change from one start to the next.
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port: String(port) }
  const begin = (): Promise<EmbeddedServer> => startEmbedded({ dataDir: folder, log, settings })
  // In a run of tests the files of a migrated one are there to be copied.
  useSeed(folder)
  let server: EmbeddedServer | undefined = await begin()
  const { user, password } = server.address
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}/status`,
    async query<T extends pg.QueryResultRow>(text: string) {
      const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'status' })
      await client.connect()
      try {
        return (await client.query<T>(text)).rows
      } finally {
        await client.end()
      }
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
    async start() {
      server ??= await begin()
    },
  }
}
