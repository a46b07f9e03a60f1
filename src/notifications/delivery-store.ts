import { sql, type Kysely, type Selectable } from 'kysely'
import type { DeliveryStatus, Try } from './contract.ts'
import type { Unreached } from './deliver/outcome.ts'
import type { NotificationTables } from './tables.ts'

type Db = Kysely<NotificationTables>
export type DeliveryRow = Selectable<NotificationTables['notifications.deliveries']>

/** A message lists its things; more of them are another message. */
const maxInMessage = 50

export interface NewDelivery {
  id: string
  channel_id: string
  group_id: string
  notification_ids: string[]
  key: string | null
  status: DeliveryStatus
  due_at: Date
  tries?: string
  finished_at?: Date
}

export async function insertDelivery(db: Db, delivery: NewDelivery): Promise<void> {
  await db.insertInto('notifications.deliveries').values(delivery).execute()
}

/** Adds the notification to a message that waits anyway, until then or later. False: there is none. */
export async function joinWaiting(
  db: Db,
  channelId: string,
  notificationId: string,
  dueAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update notifications.deliveries set notification_ids = notification_ids || ${notificationId}::uuid
    where id = (
      select id from notifications.deliveries
      where channel_id = ${channelId} and status = 'pending' and key is null
        and (leased_until is null or leased_until < now())
        and due_at > now() and due_at <= ${dueAt}::timestamptz
        and cardinality(notification_ids) < ${maxInMessage}
      order by id limit 1 for update skip locked
    )
    returning id
  `.execute(db)
  return rows.length > 0
}

/** When the last message of the channel was made; undefined where there is none. */
export async function lastMessageAt(db: Db, channelId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('notifications.deliveries')
    .select('created_at')
    .where('channel_id', '=', channelId)
    .where(sql<boolean>`cardinality(notification_ids) > 0`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** Deliveries that are due and not made yet. */
export async function countDue(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('notifications.deliveries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '=', 'pending')
    .where('due_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const leaseSeconds = 60

/**
 * Deliveries that are due and no other process has. One about the same thing waits for the one before it, so that
 * nothing is resolved before it fires.
 */
export async function claimDue(db: Db, limit: number): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    update notifications.deliveries set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id in (
      select id from notifications.deliveries d
      where status = 'pending' and due_at <= now() and (leased_until is null or leased_until < now())
        and not exists (
          select 1 from notifications.deliveries o
          where o.channel_id = d.channel_id and o.status = 'pending' and o.key = d.key and o.id < d.id
        )
      order by due_at limit ${limit} for update skip locked
    )
    returning *
  `.execute(db)
  return rows
}

/** When to look next; undefined where nothing waits. */
export async function nextDue(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(due_at, coalesce(leased_until, due_at))) as at
    from notifications.deliveries where status = 'pending'
  `.execute(db)
  return rows[0]?.at ?? undefined
}

export interface NewTry {
  made: Try
  status: DeliveryStatus
  /** When the next one is due; null ends the delivery. */
  dueAt: Date | null
  /** Undefined: nothing is known of single addresses, and what was known before stays. */
  unreached?: Unreached | undefined
}

/**
 * Stores a try. What some have already takes no further notifications, which would reach only the others: with a key
 * of its own nothing joins it.
 */
export async function saveTry(db: Db, id: string, { made, status, dueAt, unreached }: NewTry): Promise<void> {
  const left = unreached ? [...unreached.left] : null
  const refused = unreached ? [...unreached.refused] : null
  await sql`
    update notifications.deliveries set tries = tries || ${JSON.stringify([made])}::jsonb, status = ${status},
      due_at = coalesce(${dueAt}::timestamptz, due_at), leased_until = null,
      left_to = coalesce(${left}::text[], left_to), refused_by = coalesce(${refused}::text[], refused_by),
      key = case when ${left}::text[] is null then key else coalesce(key, id::text) end,
      finished_at = case when ${status} = 'pending' then null else now() end
    where id = ${id} and status = 'pending'
  `.execute(db)
}

export async function releaseLease(db: Db, id: string): Promise<void> {
  await db.updateTable('notifications.deliveries').set({ leased_until: null }).where('id', '=', id).execute()
}

export async function cancelDelivery(db: Db, id: string): Promise<void> {
  await db
    .updateTable('notifications.deliveries')
    .set({ status: 'cancelled', finished_at: new Date(), leased_until: null })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

export interface DeliveryQuery {
  channelId: string
  before: string | undefined
  limit: number
}

/** One row more than wanted, to see whether there is another page. */
export async function listDeliveries(
  db: Db,
  { channelId, before, limit }: DeliveryQuery,
): Promise<DeliveryRow[]> {
  let query = db.selectFrom('notifications.deliveries').selectAll().where('channel_id', '=', channelId)
  if (before !== undefined) query = query.where('id', '<', before)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function deleteOldDeliveries(db: Db, before: Date, portion: number): Promise<number> {
  const { rows } = await sql`
    delete from notifications.deliveries where id in (
      select id from notifications.deliveries where created_at < ${before} limit ${portion}
    ) returning id
  `.execute(db)
  return rows.length
}
