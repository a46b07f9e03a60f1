import { bigintArray, bytesArray } from '#kernel/binary-array'
import { wordVector } from '#kernel/words'
import type { AssistantId } from '../assistants/index.ts'
import type { Db } from './source-store.ts'

/** The fields of a session that lines change. Times are milliseconds. */
export interface SessionState {
  no: string
  external_id: string
  project: string | null
  git_branch: string | null
  version: string | null
  title: string | null
  title_rank: number
  first_prompt: string | null
  first_prompt_order: number | null
  last_answer: string | null
  last_answer_order: number | null
  summary: string | null
  has_model_summary: boolean
  message_count: number
  tool_call_count: number
  prompt_count: number
  unknown_records: number
  started_at: number | null
  ended_at: number | null
  born_at: number | null
  input_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  output_tokens: number
  models: Record<string, number>
  files_edited: string[]
  links: { target: string; value: string }[]
  parent_key: string | null
  parent_call_id: string | null
  fork_key: string | null
  is_fork_inferred: boolean
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`
const columns = `no, external_id, project, git_branch, version, title, title_rank, first_prompt, first_prompt_order,
  last_answer, last_answer_order, summary, has_model_summary, message_count, tool_call_count, prompt_count,
  unknown_records, ${ms('started_at')}, ${ms('ended_at')}, ${ms('born_at')}, input_tokens::float8 as input_tokens,
  cached_tokens::float8 as cached_tokens, cache_write_tokens::float8 as cache_write_tokens,
  output_tokens::float8 as output_tokens, models, files_edited, links, parent_key, parent_call_id, fork_key,
  is_fork_inferred`

export interface Owner {
  group: number
  assistant: AssistantId
}

export async function sessionsByKey(
  db: Db,
  { group, assistant }: Owner,
  keys: readonly string[],
): Promise<SessionState[]> {
  const { rows } = await db.query<SessionState>(
    `select ${columns} from transcripts.sessions
     where group_no = $1 and assistant = $2 and external_id = any($3::text[])`,
    [group, assistant, keys],
  )
  return rows
}

export async function sessionsByNo(db: Db, nos: readonly string[]): Promise<SessionState[]> {
  const { rows } = await db.query<SessionState>(
    `select ${columns} from transcripts.sessions where no = any($1::bigint[])`,
    [nos],
  )
  return rows
}

export async function addSessions(
  db: Db,
  { group, assistant }: Owner,
  machine: string,
  sessions: readonly { id: string; key: string }[],
): Promise<void> {
  await db.query(
    `insert into transcripts.sessions (id, group_no, assistant, external_id, machine)
     select id, $1, $2, key, $3 from unnest($4::uuid[], $5::text[]) as given (id, key)
     on conflict (group_no, assistant, external_id) do nothing`,
    [group, assistant, machine, sessions.map(({ id }) => id), sessions.map(({ key }) => key)],
  )
}

/** Those of the keys whose sessions were deleted on request. */
export async function deletedKeys(
  db: Db,
  { group, assistant }: Owner,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ external_id: string }>(
    `select external_id from transcripts.deleted_sessions
     where group_no = $1 and assistant = $2 and external_id = any($3::text[])`,
    [group, assistant, keys],
  )
  return new Set(rows.map(({ external_id }) => external_id))
}

export type WrittenSession = SessionState & {
  /** Ranges to add, as PostgreSQL writes them. */
  active: string
}

const plain = `project text, git_branch text, version text, title text, title_rank smallint, first_prompt text,
  first_prompt_order float8, last_answer text, last_answer_order float8, summary text, message_count int,
  tool_call_count int, prompt_count int, unknown_records int, input_tokens bigint, cached_tokens bigint,
  cache_write_tokens bigint, output_tokens bigint, models jsonb, files_edited text[], links jsonb, parent_key text,
  parent_call_id text, fork_key text, is_fork_inferred boolean`
const names = plain.split(',').map((column) => column.trim().split(' ')[0] ?? '')
const time = (column: string) => `${column} = to_timestamp(r.${column} / 1000.0)`
const summary = 'summary = case when s.has_model_summary then s.summary else r.summary end'
const assignments = names.map((name) => (name === 'summary' ? summary : `${name} = r.${name}`)).join(', ')

const hasParent = `exists (
  select from transcripts.sessions p where p.group_no = s.group_no and p.assistant = s.assistant
    and p.external_id = r.parent_key and p.message_count > 0)`

export async function writeSessions(db: Db, sessions: readonly WrittenSession[]): Promise<void> {
  await db.query(
    `update transcripts.sessions s set ${assignments},
       ${['started_at', 'ended_at', 'born_at'].map(time).join(', ')},
       words = w.words, active = s.active + r.active,
       duration_seconds = transcripts.active_seconds(s.active + r.active),
       is_listed = r.message_count > 0 and (r.parent_key is null or not ${hasParent}),
       updated_at = now()
     from jsonb_to_recordset($1) as r (no bigint, ${plain}, started_at float8, ended_at float8, born_at float8,
       active tstzmultirange)
     join unnest($2::bigint[], $3::tsvector[]) as w (no, words) using (no)
     where s.no = r.no`,
    [
      JSON.stringify(sessions),
      bigintArray(sessions.map(({ no }) => Number(no))),
      bytesArray(sessions.map(titleWords), 'tsvector'),
    ],
  )
}

/** By which a session is found: its title, how it began, and its summary. */
export function titleWords({
  title,
  first_prompt,
  summary,
}: Pick<SessionState, 'title' | 'first_prompt' | 'summary'>): Buffer {
  return wordVector([
    { text: (title ?? '').slice(0, 1_000), isTitle: true },
    { text: (first_prompt ?? '').slice(0, 2_000), isTitle: false },
    { text: (summary ?? '').slice(0, 8_000), isTitle: false },
  ])
}

/** Subagents that came before the session that started them leave the list when it comes. */
export async function unlistSubagents(
  db: Db,
  { group, assistant }: Owner,
  parentKeys: readonly string[],
): Promise<void> {
  await db.query(
    `update transcripts.sessions set is_listed = false
     where group_no = $1 and assistant = $2 and parent_key = any($3::text[]) and is_listed`,
    [group, assistant, parentKeys],
  )
}
