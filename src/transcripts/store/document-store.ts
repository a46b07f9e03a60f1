import type { Db } from './source-store.ts'

export interface SessionDocument {
  no: string
  id: string
  group_id: string
  title: string | null
  first_prompt: string | null
  summary: string | null
  prompts: string[] | null
  at: Date
  /** As PostgreSQL writes it: a Date would lose the microseconds. */
  changed_at: string
}

/** A session in the order of changes. */
export interface ChangePlace {
  at: string
  no: string
}

/** Scans the first messages of a session for prompts, up to a number and a length. */
const looked = 5_000
const maxPrompts = 20
const maxPrompt = 500
const isPrompt = 'kind = 0 and role = 0 and origin = 1'

/** Listed sessions that changed after a place and before a time, oldest change first. */
export async function changedSessions(
  db: Db,
  after: ChangePlace,
  before: Date,
  limit: number,
): Promise<SessionDocument[]> {
  const { rows } = await db.query<SessionDocument>(
    `select s.no, s.id, g.group_id, s.title, left(s.first_prompt, 2000) as first_prompt, left(s.summary, 4000) as summary,
       coalesce(s.ended_at, s.created_at) as at, s.updated_at::text as changed_at, (
         select array_agg(left(content, ${maxPrompt}) order by place) from (
           select content, place from (
             select * from transcripts.messages where session_no = s.no order by place, key limit ${looked}
           ) as early
           where ${isPrompt} and content is not null order by place limit ${maxPrompts}
         ) as prompts
       ) as prompts
     from transcripts.sessions s join transcripts.groups g on g.no = s.group_no
     where (s.updated_at, s.no) > ($1::timestamptz, $2::bigint) and s.updated_at < $3 and s.is_listed
     order by s.updated_at, s.no limit $4`,
    [after.at, after.no, before, limit],
  )
  return rows
}

/** Those of the ids that belong to listed sessions. */
export async function listedIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select id from transcripts.sessions where id = any($1::uuid[]) and is_listed',
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}
