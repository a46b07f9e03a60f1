import { sql, type Selectable } from 'kysely'
import type { AlertRow } from './alert-store.ts'
import type { Db } from './kind.ts'
import type { AlertKind } from './shapes.ts'
import type { AlertTables } from './tables.ts'

export type FiringRow = Selectable<AlertTables['alerts.firings']>

export async function openFirings(db: Db, alertId: string): Promise<FiringRow[]> {
  return db
    .selectFrom('alerts.firings')
    .selectAll()
    .where('alert_id', '=', alertId)
    .where('ended_at', 'is', null)
    .execute()
}

/** What fires now in a group, of these kinds, the oldest first. */
export async function firingAlerts(db: Db, groupId: string, kinds: readonly AlertKind[]) {
  return db
    .selectFrom('alerts.rules as r')
    .innerJoin('alerts.firings as f', 'f.alert_id', 'r.id')
    .select(['r.name', 'r.severity', 'f.title', 'f.text', 'f.path', 'f.fired_at'])
    .where('r.group_id', '=', groupId)
    .where('r.kind', 'in', kinds)
    .where('f.ended_at', 'is', null)
    .orderBy('f.fired_at')
    .limit(200)
    .execute()
}

/** Which of these things fired before, whether or not they are over. */
export async function knownThings(db: Db, alertId: string, things: readonly string[]): Promise<Set<string>> {
  if (things.length === 0) return new Set()
  const rows = await db
    .selectFrom('alerts.firings')
    .select('thing')
    .distinct()
    .where('alert_id', '=', alertId)
    .where('thing', 'in', things)
    .execute()
  return new Set(rows.map(({ thing }) => thing))
}

/** Until the transaction ends, no other process fires or ends things of this alert. Undefined: it is off, or deleted. */
export async function lockAlert(transaction: Db, id: string): Promise<AlertRow | undefined> {
  return transaction
    .selectFrom('alerts.rules')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertFirings(
  transaction: Db,
  alertId: string,
  rows: readonly FiringRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await transaction
    .insertInto('alerts.firings')
    .values(rows.map(({ data, ...row }) => ({ ...row, data: JSON.stringify(data) })))
    .execute()
  await transaction
    .updateTable('alerts.rules')
    .set({ last_fired_at: now })
    .where('id', '=', alertId)
    .execute()
}

export async function endFiring(
  transaction: Db,
  id: string,
  end: Pick<FiringRow, 'ended_at' | 'end_title' | 'end_text' | 'end_told_at'>,
): Promise<void> {
  await transaction.updateTable('alerts.firings').set(end).where('id', '=', id).execute()
}

/**
 * The oldest firing of which something is still to be sent, and that no other process is sending. It is locked until
 * the transaction ends.
 */
export async function takeUntold(transaction: Db, alertId: string): Promise<FiringRow | undefined> {
  return transaction
    .selectFrom('alerts.firings')
    .selectAll()
    .where('alert_id', '=', alertId)
    .where(sql<boolean>`(told_at is null or (ended_at is not null and end_told_at is null))`)
    .orderBy('fired_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function markTold(
  transaction: Db,
  id: string,
  told: Pick<FiringRow, 'told_at' | 'end_told_at'>,
): Promise<void> {
  await transaction.updateTable('alerts.firings').set(told).where('id', '=', id).execute()
}

/** What was over long ago is not needed to know that something fired. */
export async function deleteOldFirings(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('alerts.firings').where('ended_at', '<', before).execute()
}
