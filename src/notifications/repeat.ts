import { sql, type Kysely } from 'kysely'
import { channelById } from './channel-store.ts'
import { enqueue } from './enqueue.ts'
import { findNotifications } from './notification-store.ts'
import type { SendDeps } from './send.ts'
import type { NotificationTables } from './tables.ts'

/** These happen once and nothing resolves them, so they do not last. */
const momentary = ['run_failed', 'deployment_failed', 'backup_failed', 'unpriced_model', 'anomaly']
/** Who has not reacted for a week will not because of one message more. */
const longestDays = 7
const maxAtOnce = 1_000

/** Sends again what still fires, to channels that ask for it. */
export async function repeatFiring({ db, timeZone }: SendDeps): Promise<void> {
  for (const { channel_id, notification_id } of await dueRepeats(db)) {
    const channel = await channelById(db, channel_id)
    const [notification] = await findNotifications(db, [notification_id])
    if (!channel?.is_active || !notification?.is_open) continue
    const zone = (await timeZone(channel.group_id)) ?? 'UTC'
    await db.transaction().execute((transaction) => enqueue(transaction, channel, notification, zone))
  }
}

interface Repeat {
  channel_id: string
  notification_id: string
}

export async function dueRepeats(db: Kysely<NotificationTables>): Promise<Repeat[]> {
  const { rows } = await sql<Repeat>`
    select c.id as channel_id, n.id as notification_id
    from notifications.channels c
    join notifications.notifications n on n.group_id = c.group_id and n.is_open
    cross join lateral (
      select d.status, d.created_at from notifications.deliveries d
      where d.channel_id = c.id and n.id = any(d.notification_ids) order by d.id desc limit 1
    ) last
    where c.is_active and c.config ? 'repeat_hours' and n.kind <> all(${momentary})
      and n.created_at > now() - make_interval(days => ${longestDays})
      and last.status <> 'pending'
      and last.created_at < now() - make_interval(hours => (c.config->>'repeat_hours')::int)
    order by n.id limit ${maxAtOnce}
  `.execute(db)
  return rows
}
