import { sql } from 'kysely'
import type { SearchDocument, SearchKind } from '#kernel/search'
import type { Db } from './record-store.ts'

interface Found {
  id: string
  group_id: string
  title: string
  text: string
  updated_at: Date
}

/** A change stamps its row before it commits; rows this far back are read again. */
const overlapMs = 60_000

const kinds = [
  // With what an agent said about it.
  {
    kind: 'ticket',
    title: 'Tickets',
    table: 'records.tickets',
    text: sql`concat_ws(chr(10), description, run_result)`,
    page: '/tickets',
  },
  { kind: 'devlog', title: 'Devlogs', table: 'records.devlogs', text: sql.ref('content'), page: '/devlogs' },
  {
    kind: 'learning',
    title: 'Learnings',
    table: 'records.learnings',
    text: sql.ref('content'),
    page: '/learnings',
  },
] as const

/** What the search finds of the records. */
export function createSearchKinds(db: Db): SearchKind[] {
  return kinds.map(({ kind, title, table, text, page }) => ({
    kind,
    title,
    // A time to come, which a statement of an agent may have written, waits: the cursor would pass all other changes.
    // Times are rounded to milliseconds.
    async changed(after, limit) {
      const from = after === null ? { at: new Date(0), id: none } : readCursor(after)
      const { rows } = await sql<Found>`
        select id, group_id, title, ${text} as text, updated_at from ${sql.table(table)}
        where (updated_at, id) > (${from.at}::timestamptz, ${from.id}::uuid) and updated_at <= now() + interval '1 ms'
        order by updated_at, id limit ${limit}`.execute(db)
      const last = rows.at(-1)
      const documents = rows.map((row) => toDocument(row, page))
      if (last && rows.length === limit)
        return { documents, cursor: cursorAt(last.updated_at, last.id), more: true }
      const recent = new Date(Date.now() - overlapMs)
      const reached = last ?? { updated_at: from.at, id: from.id }
      const isOld = reached.updated_at < recent
      return {
        documents,
        cursor: isOld ? cursorAt(reached.updated_at, reached.id) : cursorAt(recent, none),
        more: false,
      }
    },
    async missing(documents) {
      const ids = documents.map(({ id }) => id)
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(db)
      const present = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !present.has(id))
    },
  }))
}

const none = '00000000-0000-0000-0000-000000000000'
const cursorAt = (at: Date, id: string): string => JSON.stringify([at, id])

function readCursor(cursor: string): { at: Date; id: string } {
  const [at, id] = JSON.parse(cursor) as [string, string]
  return { at: new Date(at), id }
}

function toDocument(row: Found, page: string): SearchDocument {
  return {
    groupId: row.group_id,
    id: row.id,
    title: row.title,
    text: row.text,
    url: `${page}/${row.id}`,
    at: row.updated_at,
  }
}
