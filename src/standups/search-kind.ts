import { sql } from 'kysely'
import type { SearchKind } from '#kernel/search'
import type { Db } from './tables.ts'

interface Found {
  id: string
  group_id: string
  initiative_id: string
  title: string
  text: string
  at: Date
}

/** An end stamps its row before it commits; so far back rows are read again. */
const overlapMs = 60_000
const none = '00000000-0000-0000-0000-000000000000'
const maxText = 100_000

/** What was said in stand-ups that are over. */
export function createStandupSearchKind(db: Db): SearchKind {
  return {
    kind: 'standup',
    title: 'Stand-ups',
    async changed(after, limit) {
      const from = after === null ? { at: new Date(0), id: none } : readCursor(after)
      const { rows } = await sql<Found>`
        select s.id, s.group_id, s.initiative_id, s.title, s.ended_at as at,
          left(coalesce((
            select string_agg(e.data ->> 'content', E'\n\n' order by e.seq) from standups.events e
            where e.session_id = s.id and e.type in ('message', 'question')), ''), ${maxText}) as text
        from standups.sessions s
        where s.status = 'ended' and (s.ended_at, s.id) > (${from.at}::timestamptz, ${from.id}::uuid)
        order by s.ended_at, s.id limit ${limit}`.execute(db)
      const documents = rows.map(({ id, group_id: groupId, initiative_id, title, text, at }) => ({
        ...{ id, groupId, text, at },
        title: `Stand-up: ${title}`,
        url: `/initiatives/${initiative_id}/standup?session=${id}`,
      }))
      const last = rows.at(-1)
      if (last && rows.length === limit) return { documents, cursor: cursorAt(last.at, last.id), more: true }
      const recent = new Date(Date.now() - overlapMs)
      const reached = last ? { at: last.at, id: last.id } : from
      return {
        documents,
        cursor: reached.at < recent ? cursorAt(reached.at, reached.id) : cursorAt(recent, none),
        more: false,
      }
    },
    async missing(documents) {
      const ids = documents.map(({ id }) => id)
      const { rows } = await sql<{ id: string }>`
        select id from standups.sessions where id = any(${ids}::uuid[])`.execute(db)
      const present = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !present.has(id))
    },
  }
}

const cursorAt = (at: Date, id: string): string => JSON.stringify([at, id])

function readCursor(cursor: string): { at: Date; id: string } {
  const [at, id] = JSON.parse(cursor) as [string, string]
  return { at: new Date(at), id }
}
