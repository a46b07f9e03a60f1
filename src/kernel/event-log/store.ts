import { sql, type QueryExecutorProvider } from 'kysely'
import { storableJson } from '#kernel/db'

/** Where a part keeps the events of its subjects; both tables are its own. */
export interface LogTables {
  /** Has `seq`, `type`, `data`, `at` and the subject. */
  events: string
  /** Has `id` and `last_seq`. */
  subjects: string
  /** The column of the events that names the subject. */
  subject: string
}

export interface NewLogEvent {
  type: string
  data: object
}

export interface LogEvent {
  seq: number
  type: string
  data: Record<string, unknown>
  at: Date
}

type Row = Omit<LogEvent, 'seq'> & { seq: number | string }

/**
 * Appends in the order given. The row of the subject is the lock under which numbers are given out, so events become
 * visible in the order of their numbers.
 */
export async function appendToLog(
  db: QueryExecutorProvider,
  log: LogTables,
  subjectId: string,
  events: readonly NewLogEvent[],
): Promise<LogEvent[]> {
  if (events.length === 0) return []
  const types = events.map(({ type }) => type)
  const data = events.map((event) => storableJson(event.data))
  const { rows } = await sql<Row>`
    with moved as (
      update ${sql.table(log.subjects)} set last_seq = last_seq + ${events.length}
      where id = ${subjectId} returning last_seq
    )
    insert into ${sql.table(log.events)} (${sql.ref(log.subject)}, seq, type, data)
    select ${subjectId}, moved.last_seq - ${events.length} + given.place, given.type, given.data::jsonb
    from moved, unnest(${types}::text[], ${data}::text[]) with ordinality as given (type, data, place)
    returning seq, type, data, at`.execute(db)
  return rows.map(numbered)
}

/** Those behind a number, in order. */
export async function readLog(
  db: QueryExecutorProvider,
  log: LogTables,
  subjectId: string,
  after: number,
  limit: number,
): Promise<LogEvent[]> {
  const { rows } = await sql<Row>`
    select seq, type, data, at from ${sql.table(log.events)}
    where ${sql.ref(log.subject)} = ${subjectId} and seq > ${after}::bigint
    order by seq limit ${limit}`.execute(db)
  return rows.map(numbered)
}

const numbered = (row: Row): LogEvent => ({ ...row, seq: Number(row.seq) })
