import { sql } from 'kysely'
import type { DbTransaction, EventRow, Queries } from '../tables.ts'
import { storableJson } from './storable.ts'

export async function insertEvent(
  db: DbTransaction,
  sessionId: string,
  type: string,
  data: object,
): Promise<EventRow> {
  return db
    .insertInto('standups.events')
    .values({ session_id: sessionId, type, data: storableJson(data) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** In order. */
export async function readEvents(
  db: Queries,
  sessionId: string,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return db
    .selectFrom('standups.events')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('id', '>', String(after))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The message that is being spoken, as far as it has come; its pieces are removed. */
export async function takeDeltas(
  db: DbTransaction,
  sessionId: string,
): Promise<{ messageId: string; content: string } | undefined> {
  const { rows } = await sql<{ data: { message_id: string; content: string } }>`
    with taken as (
      delete from standups.events where session_id = ${sessionId} and type = 'delta' returning id, data
    )
    select data from taken order by id`.execute(db)
  const [first] = rows
  if (!first) return undefined
  return { messageId: first.data.message_id, content: rows.map(({ data }) => data.content).join('') }
}

export async function lastEventIds(db: Queries, sessionIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ session_id: string; id: string }>`
    select wanted.id as session_id, (select max(e.id) from standups.events e where e.session_id = wanted.id) as id
    from unnest(${sessionIds}::uuid[]) as wanted (id)`.execute(db)
  return new Map(rows.map(({ session_id, id }) => [session_id, Number(id)]))
}

export async function countEvents(db: Queries, sessionId: string, type: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from standups.events
    where session_id = ${sessionId} and type = ${type}`.execute(db)
  return rows[0]?.count ?? 0
}
