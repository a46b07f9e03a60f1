import type { Kysely } from 'kysely'
import type { AccessTables } from './tables.ts'

type Db = Kysely<AccessTables>

export async function endSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('access.sessions').where('user_id', '=', userId).execute()
}

/** From now on nobody signs in with the password of the account, or is signed in by it. */
export async function endPassword(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('access.accounts')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute()
  await endSessions(db, userId)
}
