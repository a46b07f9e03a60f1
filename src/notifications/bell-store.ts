import { sql, type Kysely } from 'kysely'
import type { NotificationRow } from './notification-store.ts'
import type { NotificationTables } from './tables.ts'

type Db = Kysely<NotificationTables>
export type BellRow = Omit<NotificationRow, 'data' | 'key' | 'is_open' | 'group_id'> & { is_read: boolean }

/** More are shown as this many. */
const maxUnread = 1_000

export interface BellQuery {
  groupId: string
  userId: string
  before: string | undefined
  limit: number
}

/** One row more than wanted, to see whether there is another page. */
export async function listBell(db: Db, { groupId, userId, before, limit }: BellQuery): Promise<BellRow[]> {
  let query = db
    .selectFrom('notifications.notifications as n')
    .leftJoin('notifications.reads as r', (join) =>
      join.onRef('r.notification_id', '=', 'n.id').on('r.user_id', '=', userId),
    )
    .select([
      ...(['n.id', 'n.alert_id', 'n.kind', 'n.severity', 'n.state', 'n.title', 'n.text', 'n.path'] as const),
      ...(['n.count', 'n.last_at', 'n.created_at'] as const),
      sql<boolean>`r.user_id is not null`.as('is_read'),
    ])
    .where('n.group_id', '=', groupId)
  if (before !== undefined) query = query.where('n.id', '<', before)
  return query
    .orderBy('n.id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** With paths: without those that lead there. */
export async function countUnread(
  db: Db,
  groupId: string,
  userId: string,
  otherThan: readonly string[] = [],
): Promise<number> {
  const others = otherThan.length === 0 ? sql`` : sql`and n.path <> all (${otherThan}::text[])`
  const { rows } = await sql<{ count: string }>`
    select count(*) from (
      select 1 from notifications.notifications n
      where n.group_id = ${groupId} ${others} and not exists (
        select 1 from notifications.reads r where r.notification_id = n.id and r.user_id = ${userId}
      ) limit ${maxUnread}
    ) unread
  `.execute(db)
  return Number(rows[0]?.count ?? 0)
}

export interface ReadQuery {
  groupId: string
  userId: string
  ids: string[] | undefined
  upTo: string | undefined
}

/** Without IDs and a last one: all of the group. IDs of other groups change nothing. */
export async function markRead(db: Db, { groupId, userId, ids, upTo }: ReadQuery): Promise<void> {
  await sql`
    insert into notifications.reads (user_id, notification_id)
    select ${userId}, id from notifications.notifications
    where group_id = ${groupId}
      and (${ids ?? null}::uuid[] is null or id = any(${ids ?? null}::uuid[]))
      and (${upTo ?? null}::uuid is null or id <= ${upTo ?? null}::uuid)
    on conflict do nothing
  `.execute(db)
}
