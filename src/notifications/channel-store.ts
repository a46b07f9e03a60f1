import { sql, type Kysely, type Selectable, type Updateable } from 'kysely'
import type { NotificationTables } from './tables.ts'

type Db = Kysely<NotificationTables>
type Channels = NotificationTables['notifications.channels']
export type ChannelRow = Selectable<Channels>
export type ChannelUpdate = Pick<
  Updateable<Channels>,
  'name' | 'config' | 'secret_id' | 'kinds' | 'min_severity' | 'quiet_hours' | 'is_active'
>

export type NewChannel = Pick<
  ChannelRow,
  'id' | 'group_id' | 'name' | 'type' | 'secret_id' | 'kinds' | 'min_severity' | 'is_active' | 'created_by'
> & { config: string; quiet_hours: string | null }

const maxListed = 500

export async function insertChannel(db: Db, channel: NewChannel): Promise<ChannelRow> {
  return db.insertInto('notifications.channels').values(channel).returningAll().executeTakeFirstOrThrow()
}

export async function countChannels(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications.channels')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listChannels(db: Db, groupId: string): Promise<ChannelRow[]> {
  return db
    .selectFrom('notifications.channels')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxListed)
    .execute()
}

/** Those that are on and whose last message did not arrive, or not at all of their addresses. */
export async function failingChannels(db: Db, groupId: string): Promise<ChannelRow[]> {
  return db
    .selectFrom('notifications.channels')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('is_active', '=', true)
    .where('failing_since', 'is not', null)
    .orderBy('failing_since')
    .limit(200)
    .execute()
}

export async function findChannel(db: Db, groupIds: string[], id: string): Promise<ChannelRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('notifications.channels')
    .selectAll()
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

/** For deliveries, which belong to the channel. */
export async function channelById(db: Db, id: string): Promise<ChannelRow | undefined> {
  return db.selectFrom('notifications.channels').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateChannel(
  db: Db,
  id: string,
  change: ChannelUpdate,
): Promise<ChannelRow | undefined> {
  return db
    .updateTable('notifications.channels')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteChannel(db: Db, id: string): Promise<void> {
  await db.deleteFrom('notifications.channels').where('id', '=', id).execute()
}

export async function markDelivered(db: Db, id: string): Promise<void> {
  await db
    .updateTable('notifications.channels')
    .set({ failures: 0, failing_since: null, last_error: null, last_delivered_at: new Date() })
    .where('id', '=', id)
    .execute()
}

/** Some addresses have the message: the channel works, so nothing counts as failed, and yet something is wrong. */
export async function markPartlyDelivered(db: Db, id: string, error: string): Promise<void> {
  await db
    .updateTable('notifications.channels')
    .set({
      failures: 0,
      failing_since: sql`coalesce(failing_since, now())`,
      last_error: error,
      last_delivered_at: new Date(),
    })
    .where('id', '=', id)
    .execute()
}

/** Returns how often it has failed in a row. */
export async function markFailed(db: Db, id: string, error: string): Promise<number> {
  const row = await db
    .updateTable('notifications.channels')
    .set({
      failures: sql`failures + 1`,
      failing_since: sql`coalesce(failing_since, now())`,
      last_error: error,
    })
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? 0
}
