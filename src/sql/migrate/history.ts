import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { storableJson, storableText } from '#kernel/db'
import { Fault, notFound } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { mask } from '#kernel/mask'
import type { CopyTrial, MigrationOutcome, SqlEvidence } from '../contract.ts'
import type { Runner } from '../run/runner.ts'
import type { SqlTables } from '../tables.ts'
import * as store from './migration-store.ts'
import { settleCut } from './settle.ts'
import { findElsewhere } from './elsewhere.ts'
import type { MigrationTables } from './tables.ts'

/** What is known of a migration when somebody asks for it. */
export type AskedMigration = store.MigrationKey & {
  statements: string[]
  is_complete: boolean
  checks: string[]
  operations: string[]
  rollback: string[] | null
  agent_id: string
  reason: string
  requester: string
  requested_key: string | null
  /** JSON. */
  asked_by: string
}

export interface HistoryDeps {
  db: Kysely<MigrationTables & SqlTables>
  runner: Runner
  log: Log
}

/** The migrations of all databases: what was asked for, what became of it. The databases' own lists say what they have. */
export function createHistory({ db, runner, log }: HistoryDeps) {
  /** The change itself has happened or not; what could not be noted is settled from the list of the database. */
  const noted = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.warn({ error }, 'the state of a migration was not noted'))

  return {
    list: (filter: store.MigrationFilter) => store.listMigrations(db, filter),

    /** Those of other groups do not exist. */
    async find(groupIds: readonly string[], id: string): Promise<store.MigrationRow> {
      const row = await store.findMigration(db, groupIds, id)
      if (!row) throw notFound('The migration')
      return row
    },

    /** It waits for this approval. */
    async asked(asked: AskedMigration, approvalId: string, preview: SqlEvidence): Promise<void> {
      const columns = {
        ...storable(asked),
        ...nothingYet,
        state: 'asked' as const,
        approval_id: approvalId,
        preview: storableJson(preview),
        asked_at: new Date(),
      }
      await store.saveMigration(db, { ...unknownYet(), ...columns }, columns)
    },

    /** It is being applied. One that is applied stays so until it is clear that it ran again. */
    async begun(asked: AskedMigration, auditId: string, approvalId: string | null): Promise<void> {
      const running = { state: 'running' as const, attempt_id: auditId, audit_id: auditId, error: null }
      const now = { preview: null, asked_at: new Date() }
      const columns = { ...storable(asked), ...nothingYet, ...running, ...now, approval_id: approvalId }
      // With an approval, the one who asked is known already; a person may run it for them.
      const changes = approvalId === null ? columns : running
      await store.saveMigration(db, { ...unknownYet(), ...columns }, changes, 'applied')
    },

    applied: (asked: AskedMigration, auditId: string, outcome: MigrationOutcome, durationMs: number) =>
      noted(
        store.changeMigration(db, storable(asked), {
          ...nothingYet,
          state: 'applied',
          audit_id: auditId,
          result: storableJson(outcome),
          duration_ms: durationMs,
          applied_at: new Date(),
        }),
      ),

    /** The database had it already. */
    alreadyApplied: (asked: AskedMigration, at: string | null) =>
      noted(
        store.changeMigration(db, storable(asked), {
          state: 'applied',
          attempt_id: null,
          ...(at !== null && { applied_at: new Date(at) }),
        }),
      ),

    failed: (asked: AskedMigration, error: unknown) =>
      noted(
        store.changeMigration(db, storable(asked), {
          state: 'failed',
          attempt_id: null,
          error: error instanceof Fault ? storableText(mask(error.message)) : internal,
        }),
      ),

    tried: (key: store.MigrationKey, copy: CopyTrial) =>
      noted(store.changeMigration(db, key, { copy: storableJson(copy) })),

    rollbackAsked: (row: store.MigrationKey, approvalId: string) =>
      store.changeMigration(db, row, { rollback_approval_id: approvalId }),

    /** The later one of two at once is the one that is looked at after a crash; the database lets one of them do it. */
    rollbackBegun: (row: store.MigrationKey, auditId: string) =>
      store.changeMigration(db, row, { attempt_id: auditId }),

    rolledBack: (row: store.MigrationKey, auditId: string, by: string) =>
      noted(
        store.changeMigration(db, row, {
          state: 'rolled_back',
          attempt_id: null,
          rolled_back_at: new Date(),
          rolled_back_by: mask(by),
          rollback_audit_id: auditId,
        }),
      ),

    /** Nothing was rolled back by this attempt. */
    rollbackEnded: (row: store.MigrationRow, auditId: string) =>
      noted(store.settleMigration(db, { id: row.id, attempt_id: auditId }, { attempt_id: null })),

    /** Adds what the list of the database has and nobody asked for here. */
    findElsewhere: (groupId: string, database: string) => findElsewhere(db, runner, { groupId, database }),

    /** Asks the databases about attempts that were cut. */
    settle: () => settleCut(db, runner, log),
  }
}

export type History = ReturnType<typeof createHistory>

const internal = 'Internal error; see the log of the server.'

const nothingYet = {
  is_elsewhere: false,
  attempt_id: null,
  error: null,
  result: null,
  duration_ms: null,
  applied_at: null,
  rolled_back_at: null,
  rolled_back_by: null,
  rollback_audit_id: null,
  rollback_approval_id: null,
}

const storable = (asked: AskedMigration): AskedMigration => ({
  ...asked,
  name: storableText(asked.name),
  reason: storableText(asked.reason),
})

/** What the first call leaves open. */
const unknownYet = () => ({
  id: randomUUID(),
  preview: null,
  copy: null,
  audit_id: null,
})
