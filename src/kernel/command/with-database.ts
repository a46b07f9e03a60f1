import { loadConfig, type Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { createEvents, type Events } from '#kernel/events'
import { createLog, type Log } from '#kernel/log'

/** What a command can create parts with. */
export interface CommandKernel {
  config: Config
  database: Database
  events: Events
  log: Log
}

/** Opens the database of the running server, or one started for this command. */
export async function withDatabase<T>(use: (kernel: CommandKernel) => Promise<T>): Promise<T> {
  // Every command loads this file; those that need no database start in half the time without it.
  const { borrowDatabase, migrate, openDatabase } = await import('#kernel/db')
  const config = loadConfig()
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const provided = await borrowDatabase(config, log)
  try {
    await migrate(provided.target)
    const database = openDatabase(provided.target, log)
    try {
      return await use({ config, database, events: createEvents(log), log })
    } finally {
      await database.close()
    }
  } finally {
    await provided.stop()
  }
}
