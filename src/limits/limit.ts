import type { Action, Metric, OnOutage, SubjectType, Unpriced, Window } from './limit-shapes.ts'
import type { LimitRow } from './limit-store.ts'
import type { Units } from './units.ts'

/** A limit as processes keep it. */
export interface KnownLimit {
  readonly id: string
  readonly groupId: string
  readonly subject: { readonly type: SubjectType; readonly id: string | null }
  readonly metric: Metric
  readonly amount: Units
  readonly window: Window | null
  readonly action: Action
  readonly onOutage: OnOutage
  readonly unpriced: Unpriced
  /** Of the group, by which windows are cut. */
  readonly timeZone: string
  readonly createdAt: Date
}

export function toKnown(row: LimitRow, timeZone: string): KnownLimit {
  return {
    id: row.id,
    groupId: row.group_id,
    subject: { type: row.subject_type, id: row.subject_id },
    metric: row.metric,
    amount: BigInt(row.amount),
    window: row.time_window,
    action: row.action,
    onOutage: row.on_outage,
    unpriced: row.unpriced,
    timeZone,
    createdAt: row.created_at,
  }
}

/** Somebody deleted it a moment ago. */
export class LimitDeleted extends Error {
  override readonly name = 'LimitDeleted'
  override readonly message = 'the limit was deleted'
}

/** The zone of groups that have not chosen one. */
export const defaultTimeZone = 'UTC'
