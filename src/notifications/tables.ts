import type { ColumnType, Generated } from 'kysely'
import type {
  ChannelType,
  DeliveryStatus,
  NotificationSeverity,
  NotificationState,
  QuietHours,
  ShownConfig,
  Try,
} from './contract.ts'

type Created = ColumnType<Date, never, never>
type Json<T> = ColumnType<T, string, string>

export interface NotificationTables {
  'notifications.channels': {
    id: string
    group_id: string
    name: string
    type: ChannelType
    config: Json<ShownConfig>
    secret_id: string | null
    kinds: string[]
    min_severity: NotificationSeverity
    quiet_hours: ColumnType<QuietHours | null, string | null, string | null>
    is_active: Generated<boolean>
    failures: Generated<number>
    failing_since: Generated<Date | null>
    last_error: Generated<string | null>
    last_delivered_at: Generated<Date | null>
    created_by: string | null
    created_at: Created
    updated_at: ColumnType<Date, never, Date>
  }
  'notifications.notifications': {
    id: string
    group_id: string
    alert_id: string | null
    kind: string
    severity: NotificationSeverity
    state: NotificationState
    title: string
    text: string
    path: string
    key: string
    data: Json<Record<string, unknown>>
    is_open: boolean
    count: Generated<number>
    last_at: Generated<Date>
    created_at: Created
  }
  'notifications.deliveries': {
    id: string
    channel_id: string
    group_id: string
    notification_ids: string[]
    key: string | null
    status: DeliveryStatus
    tries: ColumnType<Try[], string | undefined, string>
    due_at: Date
    left_to: Generated<string[] | null>
    refused_by: Generated<string[] | null>
    leased_until: Generated<Date | null>
    created_at: Created
    finished_at: Generated<Date | null>
  }
  'notifications.reads': {
    user_id: string
    notification_id: string
  }
}
