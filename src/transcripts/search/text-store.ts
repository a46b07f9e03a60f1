import type { Db } from '../store/source-store.ts'
import { maxSearched } from './batch.ts'

export interface HitRow {
  session_no: string
  key: string
  role: number
  kind: number
  tool_name: string | null
  created_at: Date | null
  content: string | null
  tool_input: string | null
}

/** Messages with the texts that are searched. */
export async function readTexts(
  db: Db,
  messages: readonly { sessionNo: string; key: string }[],
): Promise<HitRow[]> {
  const { rows } = await db.query<HitRow>(
    `select m.session_no, replace(m.key::text, '-', '') as key, m.role, m.kind, m.tool_name, m.created_at,
       left(m.content, ${maxSearched}) as content,
       case when m.content is null then left(m.tool_input, ${maxSearched}) end as tool_input
     from unnest($1::bigint[], $2::uuid[]) as found (session_no, key)
     join transcripts.messages m using (session_no, key)`,
    [messages.map(({ sessionNo }) => sessionNo), messages.map(({ key }) => key)],
  )
  return rows
}

export interface SessionHit {
  no: string
  rank: number
  text: string
}

/** Sessions whose title, first prompt or summary matches. */
export async function findSessions(
  db: Db,
  tsquery: string,
  conditions: string,
  values: readonly unknown[],
  limit: number,
): Promise<SessionHit[]> {
  const place = values.length
  const { rows } = await db.query<SessionHit>(
    `select s.no, ts_rank(s.words, asked) as rank, concat_ws(E'\\n', s.title, s.summary) as text
     from transcripts.sessions s, cast($${place + 1} as tsquery) as asked
     where ${conditions} and s.words @@ asked and s.message_count > 0
     order by rank desc, s.ended_at desc nulls last limit $${place + 2}`,
    [...values, tsquery, limit],
  )
  return rows
}

/** The numbers of sessions that a filter chooses, newest first. */
export async function sessionNumbers(
  db: Db,
  conditions: string,
  values: readonly unknown[],
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ no: string }>(
    `select s.no from transcripts.sessions s where ${conditions}
     order by coalesce(s.ended_at, s.created_at) desc limit $${values.length + 1}`,
    [...values, limit],
  )
  return rows.map(({ no }) => no)
}
