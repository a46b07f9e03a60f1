import type { Insertable, Kysely, Selectable } from 'kysely'
import type { UndoTables } from './tables.ts'

export type UndoRow = Selectable<UndoTables['sql.undo_images']>

export async function insertUndo(
  db: Kysely<UndoTables>,
  row: Insertable<UndoTables['sql.undo_images']>,
): Promise<void> {
  await db.insertInto('sql.undo_images').values(row).execute()
}

export async function findUndo(
  db: Kysely<UndoTables>,
  groupId: string,
  auditId: string,
): Promise<UndoRow | undefined> {
  return db
    .selectFrom('sql.undo_images')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('audit_id', '=', auditId)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
}

/** False: it was undone already. */
export async function markUndone(db: Kysely<UndoTables>, auditId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sql.undo_images')
    .set({ undone_at: new Date() })
    .where('audit_id', '=', auditId)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function unmarkUndone(db: Kysely<UndoTables>, auditId: string): Promise<void> {
  await db.updateTable('sql.undo_images').set({ undone_at: null }).where('audit_id', '=', auditId).execute()
}

export async function listExpired(
  db: Kysely<UndoTables>,
  limit: number,
): Promise<{ group_id: string; secret_id: string }[]> {
  return db
    .selectFrom('sql.undo_images')
    .select(['group_id', 'secret_id'])
    .where('expires_at', '<=', new Date())
    .limit(limit)
    .execute()
}
