import type { Effect, Evidence } from '../evidence/evidence.ts'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { SqlError } from '../run/faults.ts'
import type { Verify } from '../run/outside.ts'

/** Statements that become effective together, once in a database. */
export interface MigrationCall extends DatabaseOfGroup {
  /** The key or person who asks: owners take turns. */
  owner: string
  name: string
  statements: readonly string[]
  /** Of each statement: the tables that it writes inside WITH. */
  writesInside: readonly (readonly string[])[]
  /** Queries that run before and after, for comparison. */
  checks: readonly Check[]
  /** After the statements, before the commit. */
  verify?: Verify
  /** Who applies it, for the database's own list. */
  by: string
  signal: AbortSignal
  /** What an approval was given for: another effect is rolled back with an `EffectChanged`. */
  expect?: Effect
}

export interface Check {
  /** As it was sent. */
  sql: string
  /** With masks in the place of masked columns. */
  masked: string
  /** An error without what the masks hide. */
  shown(error: SqlError): SqlError
}

/** The statements take back one that is applied. */
export interface RollbackCall extends MigrationCall {
  /** Of the statements that were applied. */
  sha256: string
  /** Tables that go only while they have no rows; quoted where needed. */
  mustBeEmpty: readonly string[]
}

export interface CheckResult {
  sql: string
  before: unknown
  after: unknown
}

export type MigrationResult =
  | { status: 'already_applied'; appliedAt: string | null }
  | {
      status: 'executed'
      rowsAffected: number | null
      checks: CheckResult[]
      effect: Effect
      durationMs: number
    }

export interface RollbackResult {
  rowsAffected: number | null
  effect: Effect
  durationMs: number
}

export interface MigrationPreview extends Evidence {
  checks: CheckResult[]
  /** The database has it already, with the same text. */
  isApplied: boolean
}

export interface MigrationWarning {
  rule: string
  message: string
}

/** Changes of databases as a whole. */
export interface Migrator {
  apply(call: MigrationCall): Promise<MigrationResult>
  /** The same, rolled back. Never throws because of a statement: `skipped` says why not. */
  preview(call: MigrationCall): Promise<MigrationPreview>
  /** In one transaction with its entry in the list. A later migration, or an entry that is gone, is a conflict. */
  rollBack(call: RollbackCall): Promise<RollbackResult>
  previewRollback(call: RollbackCall): Promise<Evidence>
  /** What a linter says about locks and long rewrites. Empty, with a line in the log, where it cannot run. */
  lint(statements: readonly string[]): Promise<MigrationWarning[]>
}
