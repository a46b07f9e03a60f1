import type { ColumnType, Generated } from 'kysely'
import type { AlertKind, AlertSeverity } from './shapes.ts'

type Created = ColumnType<Date, never, never>
type Json<T> = ColumnType<T, string, string>

export interface AlertTables {
  'alerts.rules': {
    id: string
    group_id: string
    name: string
    kind: AlertKind
    config: Json<Record<string, unknown>>
    severity: AlertSeverity
    channels: string[]
    is_active: Generated<boolean>
    active_since: ColumnType<Date, never, Date>
    last_fired_at: Date | null
    created_by: string | null
    created_at: Created
    updated_at: ColumnType<Date, never, Date>
  }
  'alerts.firings': {
    id: string
    alert_id: string
    group_id: string
    thing: string
    title: string
    text: string
    path: string
    data: Json<Record<string, unknown>>
    fired_at: Date
    ended_at: Date | null
    end_title: string | null
    end_text: string | null
    told_at: Date | null
    end_told_at: Date | null
  }
  'alerts.backups': { id: string; finished_at: Date; error: string | null }
  'alerts.disks': {
    host: string
    free_bytes: ColumnType<string, number, number>
    total_bytes: ColumnType<string, number, number>
    measured_at: Date
  }
}
