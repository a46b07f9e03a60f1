import { sql, type Kysely, type Selectable } from 'kysely'
import type { AgentTables } from '../tables.ts'
import type { RunEvent } from './shapes.ts'

type Db = Kysely<AgentTables>
export type EventRow = Pick<Selectable<AgentTables['agents.run_events']>, 'seq' | 'type' | 'data' | 'at'>

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An event before it is stored. */
export type NewEvent = Without<RunEvent, 'seq' | 'at' | 'run_id'>

/** Appends in the order given. The row of the run is the lock under which numbers are given out. */
export async function appendEvents(db: Db, runId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const types = events.map(({ type }) => type)
  const data = events.map(({ type: _type, ...rest }) => JSON.stringify(rest))
  await sql`
    with moved as (
      update agents.runs set last_seq = last_seq + ${events.length} where id = ${runId} returning last_seq
    )
    insert into agents.run_events (run_id, seq, type, data)
    select ${runId}, moved.last_seq - ${events.length} + given.place, given.type, given.data::jsonb
    from moved, unnest(${types}::text[], ${data}::text[]) with ordinality as given (type, data, place)
  `.execute(db)
}

export async function readEvents(db: Db, runId: string, after: number, limit: number): Promise<EventRow[]> {
  return db
    .selectFrom('agents.run_events')
    .select(['seq', 'type', 'data', 'at'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}
