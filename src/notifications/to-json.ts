import { rowJson } from '#kernel/rows'
import type { BellItem, Channel, Delivery } from './contract.ts'
import type { BellRow } from './bell-store.ts'
import type { ChannelRow } from './channel-store.ts'
import type { DeliveryRow } from './delivery-store.ts'
import type { NotificationRow } from './notification-store.ts'

const channelColumns = [
  ...(['id', 'group_id', 'name', 'type', 'config', 'kinds', 'min_severity', 'quiet_hours'] as const),
  ...(['is_active', 'failures', 'failing_since', 'last_error', 'last_delivered_at'] as const),
  ...(['created_by', 'created_at', 'updated_at'] as const),
]

export const toChannel = (row: ChannelRow): Channel => rowJson(row, channelColumns)

export function toBellItem({ created_at, ...row }: BellRow): BellItem {
  return { ...rowJson(row), at: created_at.toISOString() }
}

const shownOfNotification = ['id', 'kind', 'severity', 'state', 'title'] as const

export function toDelivery(row: DeliveryRow, notifications: ReadonlyMap<string, NotificationRow>): Delivery {
  return {
    ...rowJson(row, ['id', 'channel_id', 'status', 'tries', 'created_at', 'finished_at']),
    due_at: row.status === 'pending' ? row.due_at.toISOString() : null,
    is_test: row.notification_ids.length === 0,
    notifications: row.notification_ids.flatMap((id) => {
      const found = notifications.get(id)
      return found ? [rowJson(found, shownOfNotification)] : []
    }),
  }
}
