import type { Events } from '#kernel/events'
import type { AlertRow } from './alert-store.ts'
import { markTold, takeUntold, type FiringRow } from './firing-store.ts'
import type { Db } from './kind.ts'
import type { AlertSeverity } from './shapes.ts'

/** What alerts need of the part that reaches people. A repeated `send` with the same key and state is harmless. */
export interface Notifier {
  send(notification: AlertNotification): Promise<void>
}

export interface AlertNotification {
  groupId: string
  alertId: string | null
  kind: string
  severity: AlertSeverity
  state: 'firing' | 'resolved'
  title: string
  text: string
  path: string
  key: string
  data: Record<string, unknown>
  channels: readonly string[]
}

/**
 * Sends what is still to be sent: a notification and an event of the console for each beginning and each end. Both are
 * noted in the transaction that holds the rows, so that a process that ends in between leaves them to the next one.
 */
export function createTelling({
  db,
  events,
  notifications,
  now,
}: {
  db: Db
  events: Events
  notifications: Notifier
  now: () => Date
}) {
  async function send(alert: AlertRow, firing: FiringRow, state: 'firing' | 'resolved'): Promise<void> {
    const isOver = state === 'resolved'
    const notification: AlertNotification = {
      groupId: alert.group_id,
      alertId: alert.id,
      kind: alert.kind,
      severity: alert.severity,
      state,
      title: isOver ? (firing.end_title ?? firing.title) : firing.title,
      text: isOver ? (firing.end_text ?? '') : firing.text,
      path: firing.path,
      key: `alert:${alert.id}:${firing.id}`,
      data: firing.data,
      channels: alert.channels,
    }
    await notifications.send(notification)
    events.emit('activity', {
      groupId: alert.group_id,
      by: null,
      type: 'system',
      severity: isOver ? 'info' : alert.severity,
      service: null,
      source: 'alerts',
      title: notification.title,
      message: notification.text,
      metadata: {
        alert_id: alert.id,
        alert: alert.name,
        kind: alert.kind,
        state,
        path: firing.path,
        ...firing.data,
      },
    })
  }

  /** One at a time: what was sent stays sent when the next one fails. */
  async function tellNext(alert: AlertRow): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const firing = await takeUntold(transaction, alert.id)
      if (!firing) return false
      if (firing.told_at === null) await send(alert, firing, 'firing')
      if (firing.ended_at && firing.end_told_at === null) await send(alert, firing, 'resolved')
      const told = firing.told_at ?? now()
      await markTold(transaction, firing.id, { told_at: told, end_told_at: firing.ended_at && now() })
      return true
    })
  }

  return async function tell(alert: AlertRow): Promise<void> {
    while (await tellNext(alert));
  }
}
