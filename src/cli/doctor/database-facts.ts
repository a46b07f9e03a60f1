import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#kernel/config'
import { borrowDatabase, detectPooling, migrationState } from '#kernel/db'
import {
  readActivity,
  readOnly,
  readQueues,
  readReplicas,
  readRights,
  readServer,
  readTables,
} from '#kernel/inspect'
import { createLog } from '#kernel/log'
import { lastBackups } from '#limits'

/** Sizes, states and counts; no row of a table. */
export async function databaseFacts(config: Config) {
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) return { is_made: false }
  const log = await createLog({ level: 'silent', form: 'json' })
  const { target, stop } = await borrowDatabase(config, log)
  try {
    const { applied, pending, unknown, breaking } = await migrationState(target)
    const migrations = { applied: applied.length, last: applied.at(-1) ?? null, pending, unknown, breaking }
    const read = await readOnly(target, async (client) => ({
      server: await readServer(client),
      activity: await readActivity(client),
      rights: await readRights(client),
      replicas: await readReplicas(client),
      queues: await readQueues(client),
      tables: await readTables(client),
    }))
    const pooling = target.kind === 'external' ? await detectPooling(target) : 'none'
    return { kind: target.kind, pooling, migrations, backups: await lastBackups(target, log), ...read }
  } finally {
    await stop()
  }
}
