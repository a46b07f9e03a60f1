import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#kernel/config'
import { borrowDatabase, migrationNames, migrationState, readMigration, type Target } from '#kernel/db'
import {
  readActivity,
  readOnly,
  readReplicas,
  readRights,
  readServer,
  readTables,
  type ReplicaFacts,
  type RightsFacts,
  type TableFacts,
} from '#kernel/inspect'
import type { Log } from '#kernel/log'
import { commit, version } from '#kernel/version'
import { lastBackups, type BackupFacts } from '#limits'
import { inspectJournal } from '#usage'
import { effectsOf, type Effect } from './effects.ts'

export interface PendingMigration {
  name: string
  /** Takes away what the version before needs: its servers must have ended. */
  contracts: boolean
  runs_code: boolean
  tables: (Effect & { rows: number; bytes: number })[]
}

export interface DatabaseFacts {
  kind: 'embedded' | 'external'
  server: string
  /** The newest migration; null while there is none. */
  schema: string | null
  migrations: number
  /** Run by a newer Signalbox, and those of them that this code cannot do without. */
  unknown: string[]
  breaking: string[]
  pending: PendingMigration[]
  replicas: ReplicaFacts[]
  rights: RightsFacts
  oldest_transaction_seconds: number
  backups: BackupFacts | null
}

export interface UpgradeFacts {
  code: { version: string; commit: string; schema: string; migrations: number }
  /** Null: there is none yet, the first start makes it. */
  database: DatabaseFacts | null
  disk: { path: string; free_bytes: number }
  journal_bytes: number
}

/** Reads everything that decides whether this code can take over, and changes nothing. */
export async function readFacts(config: Config, log: Log): Promise<UpgradeFacts> {
  const names = migrationNames()
  const isFirst = !config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))
  return {
    code: { version, commit, schema: names.at(-1) ?? '', migrations: names.length },
    database: isFirst ? null : await readDatabase(config, log),
    disk: await readDisk(config.DATA_DIR),
    journal_bytes: (await inspectJournal(config.DATA_DIR)).bytes,
  }
}

async function readDatabase(config: Config, log: Log): Promise<DatabaseFacts> {
  const { target, stop } = await borrowDatabase(config, log)
  try {
    return await readOnly(target, (client) => ofDatabase(target, client, log))
  } finally {
    await stop()
  }
}

async function ofDatabase(target: Target, client: pg.Client, log: Log): Promise<DatabaseFacts> {
  const { applied, pending, unknown, breaking } = await migrationState(target)
  const tables = new Map((await readTables(client)).map((each) => [each.table, each]))
  return {
    kind: target.kind,
    server: (await readServer(client)).version,
    schema: applied.at(-1) ?? null,
    migrations: applied.length,
    unknown,
    breaking,
    pending: await Promise.all(pending.map((name) => readPending(name, tables))),
    replicas: await readReplicas(client),
    rights: await readRights(client),
    oldest_transaction_seconds: (await readActivity(client)).oldest_transaction_seconds,
    backups: applied.length === 0 ? null : await lastBackups(target, log),
  }
}

/** Tables that the migrations make themselves are empty when they are changed. */
async function readPending(name: string, there: ReadonlyMap<string, TableFacts>): Promise<PendingMigration> {
  const { text, contracts } = readMigration(name)
  const { effects, runsCode } = await effectsOf(text)
  const tables = effects.flatMap((effect) => {
    const found = there.get(effect.table)
    return found ? [{ ...effect, rows: found.rows, bytes: found.bytes }] : []
  })
  return { name, contracts, runs_code: runsCode, tables }
}

/** Of the folder that will hold DATA_DIR, where there is none yet. */
async function readDisk(dataDir: string): Promise<UpgradeFacts['disk']> {
  let path = dataDir
  while (!existsSync(path)) path = dirname(path)
  const { bavail, bsize } = await statfs(path)
  return { path, free_bytes: bavail * bsize }
}
