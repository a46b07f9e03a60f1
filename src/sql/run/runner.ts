import type { Availability } from '../database/availability.ts'
import type { DatabaseOfGroup, Place } from '../database/places.ts'
import type { Environment } from '../database/tables.ts'
import type { Effect, Evidence } from '../evidence/evidence.ts'
import type { Migrator } from '../migrate/migration.ts'
import type { Images, NotKept } from '../undo/images.ts'
import type { Verify } from './outside.ts'

/** Runs statements that the policy has passed, under the weak roles of a database. */
export interface Runner {
  /** A query of ours on the catalogs, as the reader: what `readFacts` of the policy asks. */
  lookUp(
    at: DatabaseOfGroup,
    sql: string,
    values: unknown[],
    owner?: string,
  ): Promise<Record<string, unknown>[]>
  /** What its owner says about a database; null: only the policy says. Throws where the group has no such database. */
  environmentOf(at: DatabaseOfGroup): Promise<Environment | null>
  /** What the proxy can do in it now. */
  availability(place: Place): Promise<Availability>
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

export interface Call extends DatabaseOfGroup {
  /** The key or person who asks: owners take turns. */
  owner: string
  sql: string
  params: readonly unknown[]
  /** read: the reader's role in a read-only transaction. write: the agent's role. */
  access: 'read' | 'write'
  maxRows: number
  /** The tables that a query writes inside WITH. */
  writesInside: readonly string[]
  /** The client disconnected or the server stops: the statement is cancelled in the database. */
  signal: AbortSignal
  /** What an approval was given for: another effect is rolled back with an `EffectChanged`. */
  expect?: Effect
  /** Gets the rows as they were, or why the change cannot be undone, before it is committed. */
  keepRows?: (kept: Images | NotKept) => Promise<void>
  /** After the statement, before anything of it is returned; what it throws rolls everything back. */
  verify?: Verify
  /** The last step before the commit; what it throws rolls everything back. */
  beforeCommit?: () => Promise<void>
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
}
