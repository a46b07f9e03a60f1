import { sql, type Kysely } from 'kysely'

export const restChannel = 'gateway_key_rests'

/** "<key id> <milliseconds> <how often in a row>"; 0 times: the key no longer rests. */
export async function sendRest(db: Kysely<object>, message: string): Promise<void> {
  await sql`select pg_notify('gateway_key_rests', ${message})`.execute(db)
}
