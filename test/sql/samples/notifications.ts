import * as bell from '../../../src/notifications/bell-store.ts'
import * as channels from '../../../src/notifications/channel-store.ts'
import * as deliveries from '../../../src/notifications/delivery-store.ts'
import * as notifications from '../../../src/notifications/notification-store.ts'
import { dueRepeats } from '../../../src/notifications/repeat.ts'
import type { NotificationTables } from '../../../src/notifications/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const notification = {
  groupId: id,
  alertId: id,
  kind: 'disk',
  severity: 'critical',
  state: 'firing',
  title: 'title',
  text: 'text',
  path: '/',
  key: 'key',
  data: {},
  channels: [],
} as const

const made = { at: at.toISOString(), ok: true, status_code: 200, error: null, response: 'ok', duration_ms: 7 }

export const notificationQueries: Sample = async ({ tables, answer }) => {
  const db = tables<NotificationTables>()
  await channels.insertChannel(db, {
    id,
    group_id: id,
    name: 'name',
    type: 'webhook',
    config: '{}',
    secret_id: id,
    kinds: [],
    min_severity: 'info',
    quiet_hours: null,
    is_active: true,
    created_by: id,
  })
  answer([{ count: '1' }])
  await channels.countChannels(db, id)
  await channels.listChannels(db, id)
  await channels.failingChannels(db, id)
  await channels.findChannel(db, [id], id)
  await channels.channelById(db, id)
  await channels.updateChannel(db, id, { name: 'name', config: '{}', quiet_hours: null, secret_id: id })
  await channels.deleteChannel(db, id)
  await channels.markDelivered(db, id)
  await channels.markPartlyDelivered(db, id, 'error')
  await channels.markFailed(db, id, 'error')

  await notifications.lastOfKey(db, id, 'key')
  await notifications.countAgain(db, id)
  await notifications.closeKey(db, id, 'key')
  await notifications.insertNotification(db, id, notification)
  await notifications.findNotifications(db, [id])
  await notifications.deleteOldNotifications(db, at, 500)

  answer([{ count: '1' }])
  await deliveries.countDue(db)

  const waiting = { id, channel_id: id, group_id: id, notification_ids: [id], key: null, due_at: at }
  await deliveries.insertDelivery(db, { ...waiting, status: 'pending' })
  await deliveries.insertDelivery(db, { ...waiting, status: 'failed', tries: '[]', finished_at: at })
  await deliveries.joinWaiting(db, id, id, at)
  await deliveries.lastMessageAt(db, id)
  await deliveries.claimDue(db, 20)
  await deliveries.nextDue(db)
  await deliveries.saveTry(db, id, {
    made,
    status: 'pending',
    dueAt: at,
    unreached: { left: ['a@example.com'], refused: ['b@example.com'] },
  })
  await deliveries.releaseLease(db, id)
  await deliveries.cancelDelivery(db, id)
  await deliveries.listDeliveries(db, { channelId: id, before: undefined, limit: 50 })
  await deliveries.listDeliveries(db, { channelId: id, before: id, limit: 50 })
  await deliveries.deleteOldDeliveries(db, at, 500)
  await dueRepeats(db)

  const of = { groupId: id, userId: id }
  await bell.listBell(db, { ...of, before: undefined, limit: 20 })
  await bell.listBell(db, { ...of, before: id, limit: 20 })
  await bell.countUnread(db, id, id)
  await bell.countUnread(db, id, id, ['/services/shop'])
  await bell.markRead(db, { ...of, ids: [id], upTo: undefined })
}
