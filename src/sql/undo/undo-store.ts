import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { UndoTables } from './tables.ts'

export type UndoRow = Selectable<UndoTables['sql.undo_images']>

export async function insertUndo(
  db: Kysely<UndoTables>,
  row: Insertable<UndoTables['sql.undo_images']>,
): Promise<void> {
  await db.insertInto('sql.undo_images').values(row).execute()
}

/**
 * The process was killed between marking the undo and recording its outcome. It counts as not undone: rows that are not
 * what the change made of them are never restored twice.
 */
const isInDoubt = sql<boolean>`exists (
  select from sql.audit a where a.attempt_id = undone_by and a.phase = 'after' and a.status = 'unknown')`

export async function findUndo(
  db: Kysely<UndoTables>,
  groupId: string,
  auditId: string,
): Promise<UndoRow | undefined> {
  const row = await db
    .selectFrom('sql.undo_images')
    .selectAll()
    .select(isInDoubt.as('is_in_doubt'))
    .where('group_id', '=', groupId)
    .where('audit_id', '=', auditId)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  return row && { ...row, undone_at: row.is_in_doubt ? null : row.undone_at }
}

/** False: it was undone already. */
export async function markUndone(
  db: Kysely<UndoTables>,
  auditId: string,
  attemptId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sql.undo_images')
    .set({ undone_at: new Date(), undone_by: attemptId })
    .where('audit_id', '=', auditId)
    .where((is) => is.or([is('undone_at', 'is', null), isInDoubt]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function unmarkUndone(
  db: Kysely<UndoTables>,
  auditId: string,
  attemptId: string,
): Promise<void> {
  await db
    .updateTable('sql.undo_images')
    .set({ undone_at: null, undone_by: null })
    .where('audit_id', '=', auditId)
    .where('undone_by', '=', attemptId)
    .execute()
}

export async function listExpired(
  db: Kysely<UndoTables>,
  limit: number,
): Promise<{ group_id: string; secret_id: string | null }[]> {
  return db
    .selectFrom('sql.undo_images')
    .select(['group_id', 'secret_id'])
    .where('secret_id', 'is not', null)
    .where('expires_at', '<=', new Date())
    .limit(limit)
    .execute()
}

/** Those without rows: only a reason. */
export async function deleteExpiredReasons(db: Kysely<UndoTables>): Promise<void> {
  await db
    .deleteFrom('sql.undo_images')
    .where('secret_id', 'is', null)
    .where('expires_at', '<=', new Date())
    .execute()
}
