import { sql, type Kysely, type Selectable } from 'kysely'
import { storableJson, storableText } from '#kernel/db'
import { mask } from '#kernel/mask'
import type { Notification, NotificationSeverity, NotificationState } from './contract.ts'
import type { NotificationTables } from './tables.ts'

type Db = Kysely<NotificationTables>
export type NotificationRow = Selectable<NotificationTables['notifications.notifications']>

export interface LastOfKey {
  id: string
  state: NotificationState
  severity: NotificationSeverity
  created_at: Date
}

export async function lastOfKey(db: Db, groupId: string, key: string): Promise<LastOfKey | undefined> {
  return db
    .selectFrom('notifications.notifications')
    .select(['id', 'state', 'severity', 'created_at'])
    .where('group_id', '=', groupId)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function countAgain(db: Db, id: string): Promise<void> {
  await db
    .updateTable('notifications.notifications')
    .set({ count: sql`count + 1`, last_at: new Date() })
    .where('id', '=', id)
    .execute()
}

export async function closeKey(db: Db, groupId: string, key: string): Promise<void> {
  await db
    .updateTable('notifications.notifications')
    .set({ is_open: false })
    .where('group_id', '=', groupId)
    .where('key', '=', key)
    .where('is_open', '=', true)
    .execute()
}

const maxTitle = 300
const maxText = 4_000
const maxPath = 1_000
const maxKey = 500
const maxDataBytes = 32_768

export async function insertNotification(
  db: Db,
  id: string,
  notification: Notification,
): Promise<NotificationRow> {
  // Texts may quote what a provider or a program said.
  const data = mask(storableJson(notification.data))
  return db
    .insertInto('notifications.notifications')
    .values({
      id,
      group_id: notification.groupId,
      alert_id: notification.alertId,
      kind: notification.kind,
      severity: notification.severity,
      state: notification.state,
      title: oneLine(notification.title, maxTitle),
      text: mask(storableText(notification.text)).slice(0, maxText),
      path: safePath(notification.path),
      key: keyOf(notification),
      data: data.length > maxDataBytes ? '{"truncated":true}' : data,
      is_open: notification.state === 'firing',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const keyOf = ({ key }: Pick<Notification, 'key'>): string => storableText(key).slice(0, maxKey)

/** Titles end up in headers of messages. */
const oneLine = (text: string, maximum: number): string =>
  mask(storableText(text))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, maximum)

/** Only within the dashboard: `//host` would lead to another site. */
const safePath = (path: string): string => {
  const line = oneLine(path, maxPath)
  return /^\/(?![/\\])/.test(line) ? line : '/'
}

export async function findNotifications(db: Db, ids: readonly string[]): Promise<NotificationRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('notifications.notifications')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
}

export async function deleteOldNotifications(db: Db, before: Date, portion: number): Promise<number> {
  const { rows } = await sql`
    delete from notifications.notifications where id in (
      select id from notifications.notifications where created_at < ${before} limit ${portion}
    ) returning id
  `.execute(db)
  return rows.length
}
