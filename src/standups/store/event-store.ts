import { sql } from 'kysely'
import { appendToLog, readLog, type LogEvent, type LogTables } from '#kernel/event-log'
import type { StandupEvent } from '../contract.ts'
import type { DbTransaction, Queries } from '../tables.ts'

const log: LogTables = {
  events: 'standups.events',
  subjects: 'standups.sessions',
  subject: 'session_id',
}

export async function insertEvent(
  db: DbTransaction,
  sessionId: string,
  type: string,
  data: object,
): Promise<StandupEvent> {
  const [event] = await appendToLog(db, log, sessionId, [{ type, data }])
  if (!event) throw new Error('the session of an event does not exist')
  return eventJson(event)
}

/** In order. */
export async function readEvents(
  db: Queries,
  sessionId: string,
  after: number,
  limit: number,
): Promise<StandupEvent[]> {
  return (await readLog(db, log, sessionId, after, limit)).map(eventJson)
}

/** An event as readers get it. */
function eventJson({ seq, type, data, at }: LogEvent): StandupEvent {
  return { ...data, id: seq, type, created_at: at.toISOString() } as unknown as StandupEvent
}

/** The message that is being spoken, as far as it has come; its pieces are removed. */
export async function takeDeltas(
  db: DbTransaction,
  sessionId: string,
): Promise<{ messageId: string; content: string } | undefined> {
  const { rows } = await sql<{ data: { message_id: string; content: string } }>`
    with taken as (
      delete from standups.events where session_id = ${sessionId} and type = 'delta' returning seq, data
    )
    select data from taken order by seq`.execute(db)
  const [first] = rows
  if (!first) return undefined
  return { messageId: first.data.message_id, content: rows.map(({ data }) => data.content).join('') }
}

export async function countEvents(db: Queries, sessionId: string, type: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from standups.events
    where session_id = ${sessionId} and type = ${type}`.execute(db)
  return rows[0]?.count ?? 0
}
