import { join } from 'node:path'
import { loadConfig } from '#kernel/config'
import { joinDatabase, openDatabase, type Database } from '#kernel/db'
import { createLog } from '#kernel/log'
import { serveFrom, start, type Started } from '../gateway/processes.ts'

export interface Product extends Started {
  url: string
  /** Where its data is. */
  folder: string
  /** Makes a request the local owner's. */
  owner: Record<string, string>
  database: Database
}

/** `signalbox serve` with its embedded PostgreSQL as it comes, and a second way into that database. */
export async function startProduct(folder: string, settings: Record<string, string> = {}): Promise<Product> {
  const environment = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data') }
  const started = await start({
    args: serveFrom(),
    environment: { ...environment, LOG_LEVEL: 'warn', LOG_FORMAT: 'json', ...settings },
    ready: /is ready at .*\n/,
  })
  const url = /ready at (http\S+)/.exec(started.output)?.[1] ?? ''
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(joinDatabase(loadConfig(environment)), log)
  const stop = async (): Promise<void> => {
    await database.close()
    await started.stop()
  }
  const owner = { 'x-owner-token': /\/\?token=(\S+)/.exec(started.output)?.[1] ?? '' }
  return { ...started, url, folder, owner, database, stop }
}
