import { DatabaseSync } from 'node:sqlite'
import type { Snapshot } from '../assistant.ts'
import { countOf } from '../json.ts'
import { advanced, marksOf, start, type Mark } from './changed-since.ts'
import { snapshotOfFiles } from './storage-files.ts'

/** A first import of a large database comes in several snapshots. */
const rowsPerTable = 500

const tables = ['session', 'message', 'part'] as const
type Table = (typeof tables)[number]

/** A part's line carries what its message and session say, since a reader of lines looks nothing up. */
const select: Record<Table, string> = {
  session: `select t.id, t.time_updated, t.time_created, t.parent_id, t.directory, t.title, t.version from session t`,
  message: `select t.id, t.time_updated, t.session_id, t.time_created, t.data from message t`,
  part: `select t.id, t.time_updated, t.session_id, t.message_id, t.time_created, t.data, m.data as message, s.parent_id
    from part t join message m on m.id = t.message_id join session s on s.id = t.session_id`,
}

export function snapshot(file: string, cursor: unknown, limit = rowsPerTable): Snapshot {
  return file.endsWith('.json')
    ? snapshotOfFiles(file, cursor, limit)
    : snapshotOfDatabase(file, cursor, limit)
}

/** Rows are edited in place, so a row comes again whenever it changed. The file is only read, its WAL included. */
function snapshotOfDatabase(file: string, cursor: unknown, limit: number): Snapshot {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.exec('pragma busy_timeout = 2000; begin')
    const marks = marksOf(cursor)
    const lines: string[] = []
    let hasMore = false
    for (const table of tables) {
      const rows = changed(database, table, limit, marks[table])
      if (rows.length === limit) hasMore = true
      for (const row of rows) lines.push(JSON.stringify({ table, ...row, ...parsed(row) }))
      marks[table] = advanced(marks[table], rows.map(timeOf))
    }
    return { lines, cursor: marks, hasMore }
  } finally {
    database.close()
  }
}

type Row = Record<string, unknown>

function changed(database: DatabaseSync, table: Table, limit: number, mark: Mark = start): Row[] {
  return database
    .prepare(
      `${select[table]} where t.time_updated > ?1
         or (t.time_updated = ?1 and t.id > ?2 and t.id not in (select value from json_each(?3)))
       order by t.time_updated, t.id limit ?4`,
    )
    .all(mark.time, mark.id ?? '', JSON.stringify(mark.ids), limit)
}

function timeOf(row: Row): { id: string; time: number } {
  return { id: String(row['id']), time: countOf(row['time_updated']) }
}

/** The columns that hold JSON, as JSON. */
function parsed(row: Row): Row {
  const result: Row = {}
  for (const column of ['data', 'message'])
    if (typeof row[column] === 'string')
      try {
        result[column] = JSON.parse(row[column])
      } catch {
        result[column] = null
      }
  return result
}
