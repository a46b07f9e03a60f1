import { sql, type Kysely, type Selectable } from 'kysely'
import type { Units } from './units.ts'
import type { LimitTables } from './tables.ts'

export type Db = Kysely<LimitTables>
export type LimitRow = Selectable<LimitTables['limits.limits']>

export interface NewLimitRow extends Omit<LimitRow, 'amount' | 'created_at' | 'updated_at'> {
  amount: Units
}

export async function insertLimit(db: Db, row: NewLimitRow): Promise<LimitRow> {
  return db
    .insertInto('limits.limits')
    .values({ ...row, amount: String(row.amount) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listLimits(db: Db, groupId: string): Promise<LimitRow[]> {
  return db
    .selectFrom('limits.limits')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The limits of every group. They are few beside requests, and every process keeps them in memory. */
export async function allLimits(db: Db): Promise<LimitRow[]> {
  return db.selectFrom('limits.limits').selectAll().orderBy('id').execute()
}

export async function findLimit(
  db: Db,
  groupIds: readonly string[],
  id: string,
): Promise<LimitRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('limits.limits')
    .selectAll()
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

export interface LimitUpdate {
  amount?: string | undefined
  action?: LimitRow['action'] | undefined
  on_outage?: LimitRow['on_outage'] | undefined
  unpriced?: LimitRow['unpriced'] | undefined
}

export async function updateLimit(db: Db, id: string, change: LimitUpdate): Promise<LimitRow | undefined> {
  return db
    .updateTable('limits.limits')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteLimit(db: Db, id: string): Promise<void> {
  await db.deleteFrom('limits.limits').where('id', '=', id).execute()
}

export interface WindowState {
  limit_id: string
  used: string
  /** By running requests, as their processes last said. */
  reserved: string
}

/** What is used of limits in the windows that run now, by the ID of the limit. */
export async function windowStates(
  db: Db,
  windows: readonly { limitId: string; startsAt: Date }[],
): Promise<Map<string, WindowState>> {
  const ids = windows.map(({ limitId }) => limitId)
  const starts = windows.map(({ startsAt }) => startsAt)
  const { rows } = await sql<WindowState>`
    select w.limit_id, w.used, coalesce((
      select sum(l.reserved) from limits.leases l where l.limit_id = w.limit_id and l.starts_at = w.starts_at
    ), 0) as reserved
    from limits.windows w
    join unnest(${ids}::uuid[], ${starts}::timestamptz[]) as asked (id, start)
      on w.limit_id = asked.id and w.starts_at = asked.start
  `.execute(db)
  return new Map(rows.map((row) => [row.limit_id, row]))
}
