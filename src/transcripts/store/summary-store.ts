import { titleWords, type SessionState } from './session-store.ts'
import type { Db } from './source-store.ts'

/** A session whose summary a model should write. */
export interface SummaryTask {
  no: string
  group_id: string
  title: string | null
  project: string | null
  plain: string | null
  files_edited: string[]
  message_count: number
  last_answer: string | null
  prompts: string[] | null
}

export interface SummaryLimits {
  idleMinutes: number
  maxAgeDays: number
  minMessages: number
  /** How often a session is tried before it has grown again. */
  maxFailures: number
  limit: number
}

/** Of a long session the first prompts and the last ones; of each its beginning. */
const promptsOf = (order: 'asc' | 'desc', limit: number) => `(
  select content, place from (
    select content, place, kind, role, origin from transcripts.messages
    where session_no = s.no order by place ${order}, key ${order} limit 5000
  ) as near
  where kind = 0 and role = 0 and origin = 1 and content is not null order by place ${order} limit ${limit})`

/** Sessions that have ended, that no model has read yet, or that have grown by a fifth since. */
export async function summaryTasks(db: Db, limits: SummaryLimits): Promise<SummaryTask[]> {
  const { rows } = await db.query<SummaryTask>(
    `select s.no, g.group_id, s.title, s.project, s.summary as plain, s.files_edited, s.message_count,
       left(s.last_answer, 4000) as last_answer, (
         select array_agg(left(content, 600) order by place)
         from (${promptsOf('asc', 12)} union ${promptsOf('desc', 8)}) as prompts
       ) as prompts
     from transcripts.sessions s
     join transcripts.groups g on g.no = s.group_no
     left join transcripts.model_summaries m on m.session_no = s.no
     where s.is_listed and s.message_count >= $3
       and s.ended_at < now() - $1 * interval '1 minute' and s.ended_at > now() - $2 * interval '1 day'
       and (m.session_no is null or s.message_count > m.messages * 1.2
         or (m.failures between 1 and $4 - 1 and m.asked_at < now() - interval '1 hour'))
     order by s.ended_at desc limit $5`,
    [limits.idleMinutes, limits.maxAgeDays, limits.minMessages, limits.maxFailures, limits.limit],
  )
  return rows
}

/** The session may have been deleted since. */
export async function saveSummary(db: Db, task: SummaryTask, summary: string): Promise<void> {
  const { rows } = await db.query<Pick<SessionState, 'title' | 'first_prompt'>>(
    'select title, first_prompt from transcripts.sessions where no = $1',
    [task.no],
  )
  if (rows[0] === undefined) return
  await db.query(
    `with changed as (
       update transcripts.sessions set summary = $2, words = $4, has_model_summary = true, updated_at = now()
       where no = $1 returning no
     )
     insert into transcripts.model_summaries (session_no, messages, failures)
     select no, $3, 0 from changed
     on conflict (session_no) do update set messages = excluded.messages, failures = 0, asked_at = now()`,
    [task.no, summary, task.message_count, titleWords({ ...rows[0], summary })],
  )
}

export async function noteFailure(db: Db, task: SummaryTask): Promise<void> {
  await db.query(
    `insert into transcripts.model_summaries as m (session_no, messages, failures)
     select no, $2, 1 from transcripts.sessions where no = $1
     on conflict (session_no) do update set asked_at = now(), messages = excluded.messages,
       failures = case when excluded.messages > m.messages * 1.2 then 1 else m.failures + 1 end`,
    [task.no, task.message_count],
  )
}
