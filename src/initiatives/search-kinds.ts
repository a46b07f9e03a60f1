import { sql } from 'kysely'
import type { SearchKind } from '#kernel/search'
import type { Db } from './tables.ts'

interface Found {
  id: string
  group_id: string
  title: string
  text: string
  url: string
  updated_at: Date
}

/** A change stamps its row before it commits; so far back rows are read again. */
const overlapMs = 60_000
const none = '00000000-0000-0000-0000-000000000000'

const kinds = [
  {
    kind: 'initiative',
    title: 'Initiatives',
    table: 'initiatives.initiatives',
    text: sql`description`,
    url: sql`'/initiatives/' || slug`,
  },
  {
    kind: 'decision',
    title: 'Decisions',
    table: 'initiatives.decisions',
    text: sql`concat_ws(E'\n\n', decision, rationale, context, consequences)`,
    url: sql`'/initiatives/' || initiative_id || '?decision=' || id`,
  },
] as const

/** What the search finds of initiatives. */
export function createSearchKinds(db: Db): SearchKind[] {
  return kinds.map(({ kind, title, table, text, url }) => ({
    kind,
    title,
    async changed(after, limit) {
      const from = after === null ? { at: new Date(0), id: none } : readCursor(after)
      const { rows } = await sql<Found>`
        select id, group_id, title, ${text} as text, ${url} as url, updated_at from ${sql.table(table)}
        where (updated_at, id) > (${from.at}::timestamptz, ${from.id}::uuid)
        order by updated_at, id limit ${limit}`.execute(db)
      const documents = rows.map(({ group_id: groupId, updated_at: at, ...document }) => ({
        ...document,
        groupId,
        at,
      }))
      const last = rows.at(-1)
      if (last && rows.length === limit)
        return { documents, cursor: cursorAt(last.updated_at, last.id), more: true }
      const recent = new Date(Date.now() - overlapMs)
      const reached = last ? { at: last.updated_at, id: last.id } : from
      return {
        documents,
        cursor: reached.at < recent ? cursorAt(reached.at, reached.id) : cursorAt(recent, none),
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

const cursorAt = (at: Date, id: string): string => JSON.stringify([at, id])

function readCursor(cursor: string): { at: Date; id: string } {
  const [at, id] = JSON.parse(cursor) as [string, string]
  return { at: new Date(at), id }
}
