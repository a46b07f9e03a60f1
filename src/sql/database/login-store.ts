import type { Kysely } from 'kysely'
import type { DatabaseTables } from './tables.ts'

export async function loginOf(
  db: Kysely<DatabaseTables>,
  role: string,
): Promise<{ group_id: string; secret_id: string } | undefined> {
  return db
    .selectFrom('sql.logins')
    .select(['group_id', 'secret_id'])
    .where('role', '=', role)
    .executeTakeFirst()
}

/** Keeps the first one: two processes that start at once must agree. */
export async function insertLogin(
  db: Kysely<DatabaseTables>,
  login: { role: string; group_id: string; secret_id: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sql.logins')
    .values(login)
    .onConflict((conflict) => conflict.column('role').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function loginsOf(
  db: Kysely<DatabaseTables>,
  roles: readonly string[],
): Promise<{ group_id: string; secret_id: string }[]> {
  return db.selectFrom('sql.logins').select(['group_id', 'secret_id']).where('role', 'in', roles).execute()
}
