import type { Transaction } from 'kysely'
import { lockUntilCommit } from '#kernel/db'
import { newId } from '#kernel/uuid'
import type { ChannelRow } from './channel-store.ts'
import { insertDelivery, joinWaiting, lastMessageAt } from './delivery-store.ts'
import type { NotificationRow } from './notification-store.ts'
import { endOfQuiet } from './quiet-hours.ts'
import type { NotificationTables } from './tables.ts'

/** These show several notifications in one message; the others are one event each. */
const grouping: ReadonlySet<string> = new Set(['slack', 'teams', 'email'])
const usualGroupSeconds = 5

/** Writes the delivery of a notification to a channel: now, after the quiet hours, or with others that wait. */
export async function enqueue(
  transaction: Transaction<NotificationTables>,
  channel: ChannelRow,
  notification: NotificationRow,
  zone: string,
): Promise<void> {
  const isUrgent = notification.severity === 'critical'
  const isGrouping = grouping.has(channel.type)
  // Two that come at once would each begin a message.
  if (isGrouping) await lockUntilCommit(transaction, `channel ${channel.id}`)
  const now = new Date()
  const begins = isUrgent || !isGrouping ? now : await afterLastMessage(transaction, channel, now)
  const dueAt = isUrgent ? now : endOfQuiet(channel.quiet_hours, begins, zone)
  const waits = isGrouping && dueAt > now
  if (waits && (await joinWaiting(transaction, channel.id, notification.id, dueAt))) return
  await insertDelivery(transaction, {
    id: newId(),
    channel_id: channel.id,
    group_id: channel.group_id,
    notification_ids: [notification.id],
    key: isGrouping ? null : notification.key,
    status: 'pending',
    due_at: dueAt,
  })
}

async function afterLastMessage(
  transaction: Transaction<NotificationTables>,
  { id, config }: ChannelRow,
  now: Date,
): Promise<Date> {
  const last = await lastMessageAt(transaction, id)
  const collectMs = (config.group_seconds ?? usualGroupSeconds) * 1_000
  return last === undefined ? now : new Date(Math.max(now.getTime(), last.getTime() + collectMs))
}
