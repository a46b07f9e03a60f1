import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'

/** An entry of the list that a database keeps itself. */
export interface ListedMigration {
  name: string
  sha256: string
  applied_at: Date
  applied_by: string
}

const maxListed = 5_000

/** The newest entries, as the reader sees them. A database that was never migrated has no list. */
export async function listOfDatabase(runner: Runner, at: DatabaseOfGroup): Promise<ListedMigration[]> {
  const [found] = await runner.lookUp(
    at,
    `select to_regclass('signalbox_migrations') is not null as there`,
    [],
  )
  if (found?.['there'] !== true) return []
  const rows = await runner.lookUp(
    at,
    `select left(name::text, 200) as name, left(sha256::text, 64) as sha256, applied_at::timestamptz as applied_at,
       left(applied_by::text, 200) as applied_by
     from signalbox_migrations where isfinite(applied_at) and name <> '' order by 3 desc limit ${maxListed}`,
    [],
  )
  return rows.filter(isEntry)
}

/** The table is somebody else's: it may have columns without values. */
const isEntry = (row: Record<string, unknown>): row is Record<string, unknown> & ListedMigration =>
  typeof row['sha256'] === 'string' &&
  typeof row['applied_by'] === 'string' &&
  row['applied_at'] instanceof Date
