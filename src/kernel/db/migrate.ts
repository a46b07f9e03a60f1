import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { messageOf, StartFault } from '#kernel/errors'
import { clientConfig, sessionTarget, type Target } from './connection.ts'

const folder = join(import.meta.dirname, '../../../migrations')

export function migrationNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -4))
    .toSorted()
}

/** Every table that a migration makes, as `schema.name`. A test compares them with a migrated database. */
export function tablesOfMigrations(): string[] {
  return migrationNames().flatMap((name) =>
    [
      ...textOf(name).matchAll(/^\s*create (?:unlogged )?table (?:if not exists )?([a-z_]+\.[a-z0-9_]+)/gim),
    ].flatMap(([, table]) => table ?? []),
  )
}

const textOf = (name: string): string => readFileSync(join(folder, `${name}.sql`), 'utf8')

/** Runs what is missing, under an advisory lock: replicas that start together run each migration once. */
export async function migrate(target: Target, upTo?: string): Promise<string[]> {
  return withMigrator(target, async (migrator, db) => {
    const { unknown } = await readState(db)
    if (unknown.length > 0) {
      throw new StartFault(
        `The database was written by a newer Signalbox (it has ${unknown.at(-1)}). Start that version, or restore a backup made by this one.`,
      )
    }
    const { error, results } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest()
    const failed = results?.find((result) => result.status === 'Error')
    if (error) {
      const reason = messageOf(error)
      throw new StartFault(
        `The database could not be brought up to date (${failed?.migrationName ?? 'migration'}): ${reason}`,
        { cause: error },
      )
    }
    return results?.map((result) => result.migrationName) ?? []
  })
}

export interface MigrationState {
  applied: string[]
  pending: string[]
  /** In the database but unknown to this code: it was written by a newer Signalbox. */
  unknown: string[]
}

export async function migrationState(target: Target): Promise<MigrationState> {
  return withMigrator(target, async (_migrator, db) => readState(db))
}

async function readState(db: Kysely<unknown>): Promise<MigrationState> {
  const known = migrationNames()
  const { rows: present } = await sql<{
    found: boolean
  }>`select to_regclass('kernel.migration') is not null as found`.execute(db)
  const { rows } = present[0]?.found
    ? await sql<{ name: string }>`select name from kernel.migration order by name`.execute(db)
    : { rows: [] }
  const applied = rows.map((row) => row.name)
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

async function withMigrator<T>(
  target: Target,
  use: (migrator: Migrator, db: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ ...clientConfig(sessionTarget(target)), max: 2 })
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => Object.fromEntries(migrationNames().map((name) => [name, migration(name)])),
    },
    migrationTableSchema: 'kernel',
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  })
  try {
    return await use(migrator, db)
  } finally {
    await db.destroy()
  }
}

function migration(name: string): Migration {
  return {
    up: async (db) => {
      await sql.raw(textOf(name)).execute(db)
    },
  }
}
