import { loadConfig } from '#kernel/config'
import { migrate, openDatabase, startEmbedded, type Database } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createSignalbox } from '#main'

export interface BenchProduct {
  folder: string
  url: string
  key: string
  groupId: string
  /** Beside the product, on the same database. */
  database: Database
  stop(): Promise<void>
}

/** The product with its own PostgreSQL and the built-in model. */
export async function startProduct(folder: string): Promise<BenchProduct> {
  const log = await createLog({ level: 'warn', form: 'json', destination: process.stderr })
  const server = await startEmbedded({ dataDir: folder, log })
  const target = { kind: 'embedded', address: server.address, database: 'status' } as const
  await migrate(target)
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    RUNTIME: 'builtin',
    TRANSCRIPTS_DIR: '/nonexistent',
  })
  const signalbox = await createSignalbox(config, log, target)
  const first = await signalbox.firstStart()
  const url = await signalbox.start()
  const database = openDatabase(target, log)
  return {
    folder,
    url,
    key: first.firstKey?.reveal() ?? '',
    groupId: first.groupId,
    database,
    async stop() {
      await database.close()
      await signalbox.stop()
      await server.stop()
    },
  }
}
