import type { Fault } from '#kernel/errors'

/** Rows changed in every table, by cascades and triggers too. */
export interface Effect {
  tables: TableEffect[]
  /** Tables, indexes and other relations that came, went or were changed. */
  created: string[]
  dropped: string[]
  altered: string[]
  /** Which rows were updated or deleted. Left out where nobody compares them. */
  rows?: RowHash[]
}

export interface RowHash {
  /** Quoted where needed. */
  table: string
  /** Of primary keys, or of whole rows where there is none; null: they could not be read, so only counts are compared. */
  hash: string | null
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
  /** Tables whose files were rewritten. */
  rewritten: string[]
  /** Other sessions that use the touched tables now, and would wait or be waited for. */
  otherSessions: number
  plan: unknown
  durationMs: number
  /** Why it was not tried, or what stopped the trial. */
  skipped: string | null
  /** The error that stopped the trial. */
  failure: Fault | null
}

/** The statement did something else than what was approved; it was rolled back. */
export class EffectChanged extends Error {
  readonly effect: Effect

  constructor(effect: Effect) {
    super('The statement would change other rows than those it was approved for.')
    this.effect = effect
  }
}
