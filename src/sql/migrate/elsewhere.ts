import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'
import type { SqlTables } from '../tables.ts'
import { listOfDatabase } from './list-of-database.ts'
import { knownMigrations, saveMigration } from './migration-store.ts'
import type { MigrationTables } from './tables.ts'

/**
 * Adds migrations that are in the list of the database and that nobody asked for here: another group, another
 * installation, or a row from before this one was kept.
 */
export async function findElsewhere(
  db: Kysely<MigrationTables & SqlTables>,
  runner: Runner,
  at: DatabaseOfGroup,
): Promise<void> {
  const listed = await listOfDatabase(runner, at)
  const known = await knownMigrations(db, at.groupId, at.database)
  const isKnown = new Set(known.map(({ name, sha256 }) => `${sha256} ${name}`))
  for (const { name, sha256, applied_at, applied_by } of listed)
    if (!isKnown.has(`${sha256} ${name}`))
      await saveMigration(
        db,
        {
          ...unasked,
          ...placeOf(at),
          id: randomUUID(),
          name,
          sha256,
          requester: applied_by,
          asked_at: applied_at,
          applied_at,
        },
        { applied_at },
      )
}

const placeOf = ({ groupId, database }: DatabaseOfGroup) => ({ group_id: groupId, database })

const unasked = {
  state: 'applied' as const,
  is_elsewhere: true,
  statements: [],
  is_complete: false,
  checks: [],
  operations: [],
  rollback: null,
  agent_id: null,
  reason: '',
  requested_key: null,
  asked_by: null,
  approval_id: null,
  preview: null,
  result: null,
  copy: null,
  attempt_id: null,
  audit_id: null,
  error: null,
  duration_ms: null,
  rollback_approval_id: null,
  rolled_back_at: null,
  rolled_back_by: null,
  rollback_audit_id: null,
}
