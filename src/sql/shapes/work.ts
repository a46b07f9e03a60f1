import type { StatementShape } from '../classify/shape/shape.ts'
import type { AuditRecord } from './audit.ts'

export type { CheckKind, CountColumn, QueryShape, StatementShape } from '../classify/shape/shape.ts'

/** Counts that came back: only where the grammar says that nothing else is in the result. */
export interface CountResult {
  /** Names of the columns. */
  columns: string[]
  rows: (number | null)[][]
}

export interface ResultFacts {
  /** Null where it failed. */
  rowCount: number | null
  counts: CountResult | null
  /** Of a check that failed, such as 42P01: there is no such table. */
  sqlstate: string | null
}

export interface CheckFacts {
  sql: string
  shape: StatementShape
  before: ResultFacts
  after: ResultFacts
}

/** What is known of an executed attempt besides its entry in the audit log. */
export interface AttemptFacts {
  statements: StatementShape[]
  result: ResultFacts | null
  /** Of a migration. */
  checks: CheckFacts[]
  /** What the database says it did; null where it was not asked. */
  effect: WorkEffect | null
  /** Rows of the tables that it changed, counted by the platform; only for runs of agents. */
  counted?: TableCount[]
}

/** Null: it was too large to count, or could not be read. A table that is not there has no rows. */
export interface TableCount {
  table: string
  before: number | null
  after: number | null
}

export interface WorkEffect {
  tables: { schema: string; name: string; inserted: number; updated: number; deleted: number }[]
  /** Relations, as PostgreSQL quotes their names. */
  created: string[]
  dropped: string[]
}

/** An attempt with its facts. Those that were refused have none. */
export interface Work extends AuditRecord {
  facts: AttemptFacts | null
}

/** What was done by some keys, oldest first, with what people did about their approvals. */
export type WorkOf = (groupId: string, keyIds: readonly string[]) => Promise<Work[]>
