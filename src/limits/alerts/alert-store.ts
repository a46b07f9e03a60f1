import { sql, type Selectable } from 'kysely'
import type { Db } from './kind.ts'
import type { AlertKind } from './shapes.ts'
import type { AlertTables } from './tables.ts'

export type AlertRow = Selectable<AlertTables['alerts.rules']>
export type ListedAlert = AlertRow & { is_firing: boolean }
type NewAlert = Pick<
  AlertRow,
  'id' | 'group_id' | 'name' | 'kind' | 'config' | 'severity' | 'channels' | 'is_active' | 'created_by'
>

const isFiring = sql<boolean>`exists (
  select from alerts.firings f where f.alert_id = r.id and f.ended_at is null
)`.as('is_firing')

export async function insertAlert(db: Db, { config, ...alert }: NewAlert): Promise<void> {
  await db
    .insertInto('alerts.rules')
    .values({ ...alert, config: JSON.stringify(config) })
    .execute()
}

export async function countAlerts(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('alerts.rules')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listAlerts(db: Db, groupId: string): Promise<ListedAlert[]> {
  return db
    .selectFrom('alerts.rules as r')
    .selectAll('r')
    .select(isFiring)
    .where('r.group_id', '=', groupId)
    .orderBy('r.created_at')
    .orderBy('r.id')
    .execute()
}

export async function findAlert(db: Db, groupIds: string[], id: string): Promise<ListedAlert | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('alerts.rules as r')
    .selectAll('r')
    .select(isFiring)
    .where('r.id', '=', id)
    .where('r.group_id', 'in', groupIds)
    .executeTakeFirst()
}

export async function updateAlert(
  db: Db,
  id: string,
  { config, ...change }: Partial<Pick<AlertRow, 'name' | 'config' | 'severity' | 'channels' | 'is_active'>>,
): Promise<void> {
  const now = new Date()
  await db
    .updateTable('alerts.rules')
    .set({
      ...change,
      ...(config && { config: JSON.stringify(config) }),
      // Only where it was off before.
      ...(change.is_active && {
        active_since: sql<Date>`case when is_active then active_since else ${now} end`,
      }),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteAlert(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('alerts.rules').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Active alerts, of one group and some kinds where these are given. */
export async function activeAlerts(
  db: Db,
  chosen: { groupId: string; kinds: readonly AlertKind[] } | undefined,
): Promise<AlertRow[]> {
  let query = db.selectFrom('alerts.rules').selectAll().where('is_active', '=', true)
  if (chosen) query = query.where('group_id', '=', chosen.groupId).where('kind', 'in', chosen.kinds)
  return query.orderBy('created_at').orderBy('id').execute()
}

/** Which kinds each group has active alerts of. */
export async function readWanted(db: Db): Promise<{ group_id: string; kind: AlertKind }[]> {
  return db
    .selectFrom('alerts.rules')
    .select(['group_id', 'kind'])
    .distinct()
    .where('is_active', '=', true)
    .execute()
}
