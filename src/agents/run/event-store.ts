import { sql, type Kysely } from 'kysely'
import { appendToLog, readLog, type LogEvent, type LogTables } from '#kernel/event-log'
import type { AgentTables } from '../tables.ts'
import type { RunEvent } from '../shapes/run.ts'

type Db = Kysely<AgentTables>

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** An event before it is stored. */
export type NewEvent = Without<RunEvent, 'seq' | 'at' | 'run_id'>

const log: LogTables = { events: 'agents.run_events', subjects: 'agents.runs', subject: 'run_id' }

/** Appends in the order given. */
export async function appendEvents(db: Db, runId: string, events: readonly NewEvent[]): Promise<void> {
  const given = events.map(({ type, ...data }) => ({ type, data }))
  await appendToLog(db, log, runId, given)
}

export const readEvents = (db: Db, runId: string, after: number, limit: number): Promise<LogEvent[]> =>
  readLog(db, log, runId, after, limit)

/** How many bytes the events of a run take. */
export async function storedBytes(db: Db, runId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('agents.run_events')
    .select(sql<string>`coalesce(sum(octet_length(data::text)), 0)`.as('bytes'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}
