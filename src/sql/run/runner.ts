import type { Migrator } from '../migrate/migration.ts'
import type { Images } from '../undo/images.ts'

/** Runs statements that the policy has passed, under the weak roles of a database. */
export interface Runner {
  /** The databases that the proxy offers, by name. */
  databases(): Promise<OfferedDatabase[]>
  /** A query of ours on the catalogs, as the reader: what `readFacts` of the policy asks. */
  query(database: string, sql: string, values: unknown[]): Promise<Record<string, unknown>[]>
  /** One statement in one transaction, committed. */
  run(call: Call): Promise<RunResult>
  /** The same, rolled back: what it would do. Never throws because of the statement: `skipped` says why not. */
  preview(call: Call): Promise<Evidence>
  /** The plan by EXPLAIN, without running the statement. */
  plan(call: Call): Promise<unknown>
  /** Changes that become effective together. */
  migrations: Migrator
  close(): Promise<void>
}

export interface OfferedDatabase {
  name: string
  isAvailable: boolean
  /** What is wrong and what to do, if it is not available. */
  problem: string | null
}

export interface Call {
  database: string
  sql: string
  params: readonly unknown[]
  /** read: the reader's role in a read-only transaction. write: the agent's role. */
  access: 'read' | 'write'
  maxRows: number
  /** The client went away or the server stops: the statement is cancelled in the database. */
  signal: AbortSignal
  /** What an approval was given for: another effect is rolled back with an `EffectChanged`. */
  expect?: Effect
  /** Keep the rows as they were, so that the change can be undone. */
  keepRows?: boolean
}

export interface Column {
  name: string
  /** As PostgreSQL writes it: `timestamp with time zone`, `numeric(10,2)`. */
  type: string
}

export interface RunResult {
  columns: Column[]
  rows: Record<string, unknown>[]
  rowCount: number
  /** Null for statements that affect no rows, such as DDL. */
  rowsAffected: number | null
  /** More rows or bytes than the caps: the result is its beginning. */
  truncated: boolean
  durationMs: number
  effect: Effect | null
  /** With `keepRows`, where the change can be undone. */
  images: Images | null
}

/** Rows changed in every table, by cascades and triggers too. */
export interface Effect {
  tables: TableEffect[]
  /** Tables, indexes and other relations that came, went or were changed. */
  created: string[]
  dropped: string[]
  altered: string[]
}

export interface TableEffect {
  schema: string
  name: string
  inserted: number
  updated: number
  deleted: number
}

export interface Evidence {
  effect: Effect | null
  rowsAffected: number | null
  locks: { relation: string; mode: string }[]
  /** Tables whose files were written anew. */
  rewritten: string[]
  /** Other sessions that use the touched tables now, and would wait or be waited for. */
  otherSessions: number
  plan: unknown
  durationMs: number
  /** Why it was not tried, or what stopped the trial. */
  skipped: string | null
}

/** The statement did something else than what was approved; it was rolled back. */
export class EffectChanged extends Error {
  readonly effect: Effect

  constructor(effect: Effect) {
    super('The statement would change other rows than those it was approved for.')
    this.effect = effect
  }
}
