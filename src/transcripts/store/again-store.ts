import type { AssistantId } from '../assistants/index.ts'
import type { Db, SourceProgress } from './source-store.ts'

/** Sources whose lines have to be read again, because the parser was changed. */

const portion = 100

/**
 * Sends sources of an older parser back to their first line. Returns how many. One without lines has nothing to read
 * again and keeps its state, which says whose it was where its session was deleted.
 */
export async function restartSources(db: Db, assistant: AssistantId, version: number): Promise<number> {
  const { rows } = await db.query<{ no: string }>(
    `update transcripts.sources set parser_version = $2, derived = 0, derived_generation = -1,
       parser_state = case when lines = 0 then parser_state end
     where no in (select no from transcripts.sources where assistant = $1 and parser_version < $2
                  order by parser_version limit ${portion} for update skip locked)
     returning no`,
    [assistant, version],
  )
  const nos = rows.map(({ no }) => no)
  if (nos.length === 0) return 0
  const { rows: sessions } = await db.query<{ session_no: string }>(
    'select distinct session_no from transcripts.session_sources where source_no = any($1::bigint[])',
    [nos],
  )
  const numbers = sessions.map(({ session_no }) => session_no)
  await db.query('delete from transcripts.unknown_records where session_no = any($1::bigint[])', [numbers])
  await db.query('update transcripts.sessions set unknown_records = 0 where no = any($1::bigint[])', [
    numbers,
  ])
  return nos.length
}

export interface WaitingSource {
  no: string
  group_no: number
  machine: string
  assistant: AssistantId
  path: string
  born_at: Date | null
}

/** Sources with lines that the parser has not come to. */
export async function waitingSources(db: Db, after: string, limit: number): Promise<WaitingSource[]> {
  const { rows } = await db.query<WaitingSource>(
    `select no, group_no, machine, assistant, path, born_at from transcripts.sources
     where derived < lines and no > $1 order by no limit $2`,
    [after, limit],
  )
  return rows
}

export async function saveProgress(
  db: Db,
  no: string,
  progress: Omit<SourceProgress, 'lines'>,
): Promise<void> {
  await db.query(
    `update transcripts.sources set derived = $2, derived_generation = $3, parser_state = $4, order_base = $5
     where no = $1`,
    [no, progress.derived, progress.derivedGeneration, progress.state, progress.orderBase],
  )
}

/** The sessions of a source all of whose sources have been read to their end. */
export async function finishedSessions(db: Db, sourceNo: string): Promise<{ no: string; paths: string[] }[]> {
  const { rows } = await db.query<{ no: string; paths: string[] }>(
    `select link.session_no as no, array_agg(s.path) as paths
     from transcripts.session_sources mine
     join transcripts.session_sources link on link.session_no = mine.session_no
     join transcripts.sources s on s.no = link.source_no
     where mine.source_no = $1
     group by link.session_no having bool_and(s.derived = s.lines)`,
    [sourceNo],
  )
  return rows
}

/** Deletes what only an older parser saw. */
export async function dropOlder(db: Db, sessionNo: string, version: number): Promise<void> {
  const values = [sessionNo, version]
  await db.query('delete from transcripts.messages where session_no = $1 and version < $2', values)
  await db.query('delete from transcripts.usage where session_no = $1 and version < $2', values)
}

/** Counts of a session, from its messages and responses. */
export async function countAgain(db: Db, sessionNo: string): Promise<void> {
  await db.query(
    `update transcripts.sessions s set message_count = m.messages, tool_call_count = m.tool_calls,
       prompt_count = m.prompts, input_tokens = u.input, cached_tokens = u.cached,
       cache_write_tokens = u.cache_write, output_tokens = u.output, models = u.models, updated_at = now()
     from (
       select count(*) as messages, count(*) filter (where kind = 2) as tool_calls,
         count(*) filter (where kind = 0 and role = 0 and origin = 1) as prompts
       from transcripts.messages where session_no = $1
     ) m, (
       select coalesce(sum(input), 0) as input, coalesce(sum(cached), 0) as cached,
         coalesce(sum(cache_write), 0) as cache_write, coalesce(sum(output), 0) as output,
         coalesce(jsonb_object_agg(model, responses) filter (where model is not null), '{}') as models
       from (
         select model, count(*) as responses, sum(input_tokens) as input, sum(cached_tokens) as cached,
           sum(cache_write_tokens) as cache_write, sum(output_tokens) as output
         from transcripts.usage where session_no = $1 group by model
       ) by_model
     ) u
     where s.no = $1`,
    [sessionNo],
  )
}
