import type { Kysely } from 'kysely'
import type { GatewayTables } from './provider-store.ts'

type Db = Kysely<GatewayTables>

/** A response that its provider stores, and who made it. */
export interface StoredResponse {
  id: string
  group_id: string
  api_key_id: string
  provider_key_id: string | null
  model: string
}

export async function insertStoredResponses(db: Db, rows: readonly StoredResponse[]): Promise<void> {
  await db
    .insertInto('gateway.stored_responses')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findStoredResponse(db: Db, id: string): Promise<StoredResponse | undefined> {
  return db
    .selectFrom('gateway.stored_responses')
    .select(['id', 'group_id', 'api_key_id', 'provider_key_id', 'model'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function deleteStoredResponse(db: Db, id: string): Promise<void> {
  await db.deleteFrom('gateway.stored_responses').where('id', '=', id).execute()
}

export async function deleteStoredBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('gateway.stored_responses').where('created_at', '<', time).execute()
}
