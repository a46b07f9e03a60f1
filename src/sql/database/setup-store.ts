import type { Kysely, Selectable } from 'kysely'
import type { DatabaseTables } from './tables.ts'

type Db = Kysely<DatabaseTables>
export type SetupRow = Selectable<DatabaseTables['sql.setups']>

export async function findSetup(db: Db, rolePrefix: string): Promise<SetupRow | undefined> {
  return db.selectFrom('sql.setups').selectAll().where('role_prefix', '=', rolePrefix).executeTakeFirst()
}

/** A script was printed: the schemas are kept for when it has been run. */
export async function noteSchemas(db: Db, rolePrefix: string, schemas: readonly string[]): Promise<void> {
  await db
    .insertInto('sql.setups')
    .values({ role_prefix: rolePrefix, schemas: [...schemas], set_up_at: null })
    .onConflict((conflict) => conflict.column('role_prefix').doUpdateSet({ schemas: [...schemas] }))
    .execute()
}

/** The roles have logged in. */
export async function noteSetUp(db: Db, rolePrefix: string, schemas: readonly string[]): Promise<void> {
  const values = { schemas: [...schemas], set_up_at: new Date() }
  await db
    .insertInto('sql.setups')
    .values({ role_prefix: rolePrefix, ...values })
    .onConflict((conflict) => conflict.column('role_prefix').doUpdateSet(values))
    .execute()
}

export async function deleteSetup(db: Db, rolePrefix: string): Promise<void> {
  await db.deleteFrom('sql.setups').where('role_prefix', '=', rolePrefix).execute()
}
