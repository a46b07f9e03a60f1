import { createAccess, type Access } from '#access'
import { loadConfig, type Config } from '#kernel/config'
import { keyFile } from '#kernel/datadir'
import { borrowDatabase, migrate, openDatabase, type Database } from '#kernel/db'
import { createEvents, type Events } from '#kernel/events'
import { createLog, type Log } from '#kernel/log'
import { join } from 'node:path'
import { version } from '#kernel/version'

export interface CommandSession {
  config: Config
  access: Access
  database: Database
  events: Events
  log: Log
}

/** Gives a command the same features that the server has, on the running database or on one started for it. */
export async function withAccess<T>(use: (session: CommandSession) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const provided = await borrowDatabase(config, log)
  try {
    await migrate(provided.target)
    const database = openDatabase(provided.target, log)
    const sessionSecret = config.SESSION_SECRET ?? keyFile(join(config.DATA_DIR, 'session.key'))
    const events = createEvents(log)
    const access = createAccess({ database, config, events, log, sessionSecret, version })
    try {
      return await use({ config, access, database, events, log })
    } finally {
      await database.close()
    }
  } finally {
    await provided.stop()
  }
}
