import { sql } from 'kysely'
import type { ThingType } from '../shapes/thing.ts'
import type { Queries } from '../tables.ts'

/** Links that were found, in the order of their IDs. */
export async function foundLinks(
  db: Queries,
  after: string,
  limit: number,
): Promise<{ id: string; from_type: ThingType; from_id: string; to_type: ThingType; to_id: string }[]> {
  return db
    .selectFrom('links.links')
    .select(['id', 'from_type', 'from_id', 'to_type', 'to_id'])
    .where('how', '<>', 'person')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Sessions whose first prompt has an address and that are linked to no ticket by it, in the order of their IDs. */
export async function sessionsWithAddresses(
  db: Queries,
  after: string,
  limit: number,
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from links.sessions s
    where s.id > ${after}::uuid and s.first_prompt like '%://%' and not exists (
      select from links.links l where l.from_type = 'session' and l.from_id = s.id::text and l.to_type = 'ticket'
        and l.how = 'exact')
    order by s.id limit ${limit}`.execute(db)
  return rows
}
