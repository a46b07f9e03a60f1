import { sql } from 'kysely'
import type { Db } from '../record-store.ts'

/** The name of the service that an ID or a name means; otherwise the word itself, such as the ID of an agent. */
export async function serviceOf(
  db: Db,
  groupId: string,
  word: string | null | undefined,
): Promise<string | null | undefined> {
  if (word === null || word === undefined) return word
  const { rows } = await sql<{ name: string }>`
    select name from records.services
    where group_id = ${groupId} and (id::text = ${word.toLowerCase()} or name = ${word})`.execute(db)
  return rows[0]?.name ?? word
}
