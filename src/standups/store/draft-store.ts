import { sql, type Insertable, type Updateable } from 'kysely'
import type { DbTransaction, DraftRow, Queries, StandupTables } from '../tables.ts'

type Table = StandupTables['standups.drafts']

export async function insertDraft(db: DbTransaction, values: Insertable<Table>): Promise<DraftRow> {
  return db.insertInto('standups.drafts').values(values).returningAll().executeTakeFirstOrThrow()
}

/** In the order in which they were made. */
export async function listDrafts(db: Queries, sessionId: string): Promise<DraftRow[]> {
  return db
    .selectFrom('standups.drafts')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** With the session, which must be of the initiative. */
export async function findDraft(
  db: Queries,
  initiativeId: string,
  id: string,
): Promise<DraftRow | undefined> {
  return db
    .selectFrom('standups.drafts as d')
    .innerJoin('standups.sessions as s', 's.id', 'd.session_id')
    .selectAll('d')
    .where('d.id', '=', id)
    .where('s.initiative_id', '=', initiativeId)
    .executeTakeFirst()
}

/** Undefined: it is settled already. */
export async function settleDraft(
  db: DbTransaction,
  id: string,
  values: Updateable<Table>,
): Promise<DraftRow | undefined> {
  return db
    .updateTable('standups.drafts')
    .set(values)
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .returningAll()
    .executeTakeFirst()
}

/** How many drafts of each session wait for a person. */
export async function waitingDrafts(
  db: Queries,
  sessionIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ session_id: string; count: number }>`
    select session_id, count(*)::int as count from standups.drafts
    where session_id = any(${sessionIds}::uuid[]) and status = 'draft' group by 1`.execute(db)
  return new Map(rows.map(({ session_id, count }) => [session_id, count]))
}
