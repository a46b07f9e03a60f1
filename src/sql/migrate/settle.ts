import type { Kysely } from 'kysely'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { mask } from '#kernel/mask'
import type { Runner } from '../run/runner.ts'
import type { SqlTables } from '../tables.ts'
import { listOfDatabase } from './list-of-database.ts'
import { listCut, settleMigration, type MigrationChanges, type MigrationRow } from './migration-store.ts'
import type { MigrationTables } from './tables.ts'

const atOnce = 100

/** Whether a migration happened whose process was killed: the entry in the list was committed with it. */
export async function settleCut(
  db: Kysely<MigrationTables & SqlTables>,
  runner: Runner,
  log: Log,
): Promise<void> {
  for (const row of await listCut(db, atOnce)) {
    try {
      await settleMigration(db, row, await outcomeOf(runner, row))
    } catch (error) {
      // The database cannot be reached, or it was removed: the state stays unknown.
      log.info({ migration: row.id, reason: mask(messageOf(error)) }, 'a migration could not be settled')
    }
  }
}

async function outcomeOf(runner: Runner, row: MigrationRow): Promise<MigrationChanges> {
  const { group_id: groupId, database, name, sha256, applied_at } = row
  const listed = await listOfDatabase(runner, { groupId, database })
  const entry = listed.find((each) => each.name === name && each.sha256 === sha256)
  if (entry) return { state: 'applied', attempt_id: null, applied_at: entry.applied_at }
  // It was applied before, so the attempt was to roll it back.
  if (applied_at !== null)
    return {
      state: 'rolled_back',
      attempt_id: null,
      rolled_back_at: new Date(),
      rollback_audit_id: row.attempt_id,
    }
  return { state: 'failed', attempt_id: null, error: cut }
}

const cut = 'Signalbox ended while it ran. The database does not have the change.'
