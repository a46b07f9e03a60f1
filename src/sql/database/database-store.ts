import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { DatabaseTables } from './tables.ts'

type Db = Kysely<DatabaseTables>
export type DatabaseRow = Selectable<DatabaseTables['sql.databases']>

/** False: the group has one of this name. */
export async function insertDatabase(
  db: Db,
  row: Insertable<DatabaseTables['sql.databases']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sql.databases')
    .values(row)
    .onConflict((conflict) => conflict.columns(['group_id', 'name']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateDatabase(
  db: Db,
  id: string,
  changes: Updateable<DatabaseTables['sql.databases']>,
): Promise<void> {
  await db
    .updateTable('sql.databases')
    .set({ ...changes, updated_at: new Date() })
    .where('id', '=', id)
    .execute()
}

export async function deleteDatabase(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sql.databases').where('id', '=', id).execute()
}

export async function findDatabase(db: Db, groupId: string, name: string): Promise<DatabaseRow | undefined> {
  return db
    .selectFrom('sql.databases')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function listDatabases(db: Db, groupId: string): Promise<DatabaseRow[]> {
  return db.selectFrom('sql.databases').selectAll().where('group_id', '=', groupId).orderBy('name').execute()
}

/** Of any group, for the command line. */
export async function groupsWith(db: Db, name: string): Promise<string[]> {
  const rows = await db.selectFrom('sql.databases').select('group_id').where('name', '=', name).execute()
  return rows.map((row) => row.group_id)
}
