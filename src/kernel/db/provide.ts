import { lockDataDir, prepareDataDir } from '#kernel/datadir'
import type { Config } from '#kernel/config'
import { StartFault } from '#kernel/errors'
import type { Log, Secret } from '#kernel/log'
import { awaitDatabase, type Target } from './connection.ts'
import { startEmbedded } from './embedded.ts'
import { requireSessions } from './pooler.ts'
import { readAddress } from './server-address.ts'

export interface ProvidedDatabase {
  target: Target
  stop(): Promise<void>
}

/**
 * For the process that owns the data directory: takes the lock and starts the database, without running migrations.
 * A stop ends the start: it throws the reason and leaves nothing behind.
 */
export async function provideDatabase(
  config: Config,
  log: Log,
  stop?: AbortSignal,
): Promise<ProvidedDatabase> {
  prepareDataDir(config.DATA_DIR)
  const lock = lockDataDir(config.DATA_DIR)
  try {
    if (config.DATABASE_URL) {
      const target = externalTarget(config, config.DATABASE_URL)
      await awaitDatabase(target, 30_000, stop)
      await requireSessions(target)
      return { target, stop: async () => lock.release() }
    }
    const server = await startEmbedded({ dataDir: config.DATA_DIR, log, stop })
    return {
      target: { kind: 'embedded', address: server.address, database: 'status' },
      stop: async () => {
        await server.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

const externalTarget = ({ DATABASE_DIRECT_URL: directUrl }: Config, url: Secret): Target => ({
  kind: 'external',
  url,
  directUrl,
})

/** For workers: the database that the primary process provided. */
export function joinDatabase(config: Config): Target {
  if (config.DATABASE_URL) return externalTarget(config, config.DATABASE_URL)
  const address = readAddress(config.DATA_DIR)
  if (!address) throw new StartFault(`No database runs under ${config.DATA_DIR}. Start Signalbox first.`)
  return { kind: 'embedded', address, database: 'status' }
}

/** For commands: uses the database of a running Signalbox, or starts it for the time of the command. */
export async function borrowDatabase(config: Config, log: Log): Promise<ProvidedDatabase> {
  if (config.DATABASE_URL) {
    const target = joinDatabase(config)
    await awaitDatabase(target, 5_000)
    await requireSessions(target)
    return { target, stop: async () => undefined }
  }
  const address = readAddress(config.DATA_DIR)
  if (address) {
    const target: Target = { kind: 'embedded', address, database: 'status' }
    const answered = await awaitDatabase(target, 0).then(
      () => true,
      () => false,
    )
    if (answered) return { target, stop: async () => undefined }
  }
  return provideDatabase(config, log)
}
