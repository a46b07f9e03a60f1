import type { AssistantId } from '../assistants/index.ts'
import type { Db } from './source-store.ts'

export interface SessionRow {
  no: string
  id: string
  group_no: number
  assistant: AssistantId
  external_id: string
  machine: string
  project: string | null
  git_branch: string | null
  version: string | null
  title: string | null
  first_prompt: string | null
  summary: string | null
  message_count: number
  tool_call_count: number
  unknown_records: number
  started_at: Date | null
  ended_at: Date | null
  duration_seconds: number
  input_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  output_tokens: number
  models: Record<string, number>
  files_edited: string[]
  links: { target: 'pull_request'; value: string }[]
  parent_call_id: string | null
  source_missing: boolean
  parent_id: string | null
  fork_id: string | null
  fork_no: string | null
  subagent_count: number
  /** Microseconds by which the list is ordered. */
  listed_at: string
}

export interface SessionFilter {
  group: number
  projects: readonly string[]
  assistants: readonly string[]
  machines: readonly string[]
  branches: readonly string[]
  models: readonly string[]
  since: Date | null
  until: Date | null
  externalId: string | null
  /** Only subagents of this session. */
  parentId: string | null
  /** Subagents too. */
  includeSubagents: boolean
}

const listedAt = 'coalesce(s.ended_at, s.created_at)'
const joined = `from transcripts.sessions s
  left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
    and parent.external_id = s.parent_key
  left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
    and fork.external_id = s.fork_key`
const columns = `s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version, s.title,
  s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
  s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
  s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
  s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
  fork.no as fork_no, (extract(epoch from ${listedAt}) * 1000000)::bigint as listed_at,
  (select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
     and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count`

/** Conditions on `s`; their parameters are added to the values. */
export function sessionConditions(filter: SessionFilter, values: unknown[]): string {
  const given = (value: unknown): string => `$${values.push(value)}`
  const parts = [`s.group_no = ${given(filter.group)}`]
  const isOneOf = (column: string, wanted: readonly string[]) => {
    if (wanted.length > 0) parts.push(`${column} = any(${given(wanted)}::text[])`)
  }
  isOneOf('s.assistant', filter.assistants)
  isOneOf('s.machine', filter.machines)
  isOneOf('s.git_branch', filter.branches)
  if (filter.projects.length > 0)
    parts.push(
      `exists (select from unnest(${given(filter.projects)}::text[]) as wanted
         where s.project = wanted or starts_with(s.project, wanted || '/'))`,
    )
  if (filter.models.length > 0) parts.push(`s.models ?| ${given(filter.models)}::text[]`)
  if (filter.since) parts.push(`${listedAt} >= ${given(filter.since)}`)
  if (filter.until) parts.push(`coalesce(s.started_at, s.created_at) < ${given(filter.until)}`)
  if (filter.externalId !== null) parts.push(`s.external_id = ${given(filter.externalId)}`)
  return parts.join(' and ')
}

export interface ListPage {
  after: { at: string; no: string } | null
  limit: number
}

/** The one with the newest activity first. */
export async function listSessions(db: Db, filter: SessionFilter, page: ListPage): Promise<SessionRow[]> {
  const values: unknown[] = []
  const parts = [sessionConditions(filter, values)]
  if (filter.parentId !== null) parts.push(`parent.id = $${values.push(filter.parentId)}`)
  else if (filter.includeSubagents || filter.externalId !== null) parts.push('s.message_count > 0')
  else parts.push('s.is_listed')
  if (page.after)
    parts.push(
      `(${listedAt}, s.no) < ('epoch'::timestamptz + $${values.push(page.after.at)}::bigint * interval '1 microsecond',
         $${values.push(page.after.no)}::bigint)`,
    )
  const { rows } = await db.query<SessionRow>(
    `select ${columns} ${joined} where ${parts.join(' and ')}
     order by ${listedAt} desc, s.no desc limit $${values.push(page.limit)}`,
    values,
  )
  return rows
}

export async function findSession(db: Db, group: number, id: string): Promise<SessionRow | undefined> {
  const { rows } = await db.query<SessionRow>(
    `select ${columns} ${joined} where s.group_no = $1 and s.id = $2`,
    [group, id],
  )
  return rows[0]
}

export async function sessionsOf(db: Db, nos: readonly string[]): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(`select ${columns} ${joined} where s.no = any($1::bigint[])`, [
    nos,
  ])
  return rows
}

/** How requests in the usage log name these sessions of the group. */
export async function sessionKeys(
  db: Db,
  groupId: string,
  ids: readonly string[],
): Promise<{ id: string; key: string }[]> {
  const { rows } = await db.query<{ id: string; key: string }>(
    `select s.id, s.external_id as key from transcripts.sessions s join transcripts.groups g on g.no = s.group_no
     where g.group_id = $1 and s.id = any($2::uuid[])`,
    [groupId, ids],
  )
  return rows
}

export interface RelatedRow {
  id: string
  title: string | null
  first_prompt: string | null
  parent_call_id: string | null
  message_count: number
  started_at: Date | null
  ended_at: Date | null
}

const maxRelated = 1_000

/** The sessions that name this one: its subagents, or its forks. */
export async function relatedSessions(
  db: Db,
  { no }: Pick<SessionRow, 'no'>,
  relation: 'parent_key' | 'fork_key',
): Promise<RelatedRow[]> {
  const { rows } = await db.query<RelatedRow>(
    `select r.id, r.title, r.first_prompt, r.parent_call_id, r.message_count, r.started_at, r.ended_at
     from transcripts.sessions s join transcripts.sessions r on r.group_no = s.group_no
       and r.assistant = s.assistant and r.${relation} = s.external_id
     where s.no = $1 order by r.started_at nulls last, r.no limit ${maxRelated}`,
    [no],
  )
  return rows
}

export interface ProjectRow {
  project: string
  sessions: number
  last_at: Date | null
}

export async function listProjects(db: Db, group: number): Promise<ProjectRow[]> {
  const { rows } = await db.query<ProjectRow>(
    `select project, count(*)::int as sessions, max(ended_at) as last_at from transcripts.sessions
     where group_no = $1 and is_listed and project is not null
     group by project order by max(ended_at) desc nulls last limit 1000`,
    [group],
  )
  return rows
}

export interface UnknownRow {
  reason: string
  line: string
  is_cut: boolean
}

export async function listUnknown(db: Db, no: string, limit: number): Promise<UnknownRow[]> {
  const { rows } = await db.query<UnknownRow>(
    `select reason, line, is_cut from transcripts.unknown_records where session_no = $1
     order by created_at, hash limit $2`,
    [no, limit],
  )
  return rows
}

export interface WatcherRow {
  machine: string
  report: unknown
  seen_at: Date
}

export async function listWatchers(db: Db, group: number): Promise<WatcherRow[]> {
  const { rows } = await db.query<WatcherRow>(
    'select machine, report, seen_at from transcripts.watchers where group_no = $1 order by machine limit 1000',
    [group],
  )
  return rows
}

/** With whose key it came; null where that is nobody, such as for the watcher of the server itself. */
export async function saveWatcher(
  db: Db,
  group: number,
  machine: string,
  report: unknown,
  userId: string | null,
): Promise<void> {
  await db.query(
    `insert into transcripts.watchers (group_no, machine, report, user_id) values ($1, $2, $3, $4)
     on conflict (group_no, machine) do update
       set report = excluded.report, user_id = excluded.user_id, seen_at = now()`,
    [group, machine, JSON.stringify(report), userId],
  )
}
