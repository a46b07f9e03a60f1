import type { ColumnType, Generated } from 'kysely'
import type { Action, Metric, OnOutage, SubjectType, Unpriced, Window } from './limit-shapes.ts'

/** Whole numbers that may be larger than a JavaScript number. */
type Units = ColumnType<string, string | bigint, string | bigint>
type Created = ColumnType<Date, Date | undefined, never>

export interface LimitTables {
  'limits.limits': {
    id: string
    group_id: string
    subject_type: SubjectType
    subject_id: string | null
    metric: Metric
    amount: Units
    time_window: Window | null
    action: Action
    on_outage: OnOutage
    unpriced: Unpriced
    created_by: string | null
    created_at: Created
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
  'limits.windows': {
    limit_id: string
    starts_at: Date
    ends_at: Date | null
    used: Units
    leased: ColumnType<string, string | bigint | undefined, string | bigint>
    reached_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    counted_to: ColumnType<Date | null, Date | null | undefined, never>
  }
  'limits.leases': {
    limit_id: string
    starts_at: Date
    holder: string
    granted: Units
    reserved: Units
    report: string
  }
  'limits.holders': { id: string; seen_at: Created }
  'limits.spent': { limit_id: string; starts_at: Date; ended_from: Date; amount: Units }
  'limits.recounts': {
    id: string
    limit_id: string
    starts_at: Date
    ended_from: Date
    ended_to: Date
    due_at: Date
    runs: Generated<number>
  }
}
