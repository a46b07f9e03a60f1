import type { Db } from './source-store.ts'

/** A message that matches. */
export interface Candidate {
  session_no: string
  key: string
  created_at: Date | null
}

const words =
  'transcripts.words(m.group_no, m.session_no, m.day, m.role, m.kind, m.assistant, m.tool_name, m.content, m.tool_input)'

/** The query as PostgreSQL understands it; an empty one has no words that are searched for. */
export async function parseQuery(db: Db, text: string): Promise<{ query: string; words: string[] }> {
  const { rows } = await db.query<{ query: string; words: string[] | null }>(
    `select asked.query::text as query, (
       select array_agg(lexeme) from ts_debug('english', $1), unnest(lexemes) as lexeme
     ) as words
     from (select websearch_to_tsquery('english', $1) as query) as asked`,
    [text],
  )
  return { query: rows[0]?.query ?? '', words: rows[0]?.words ?? [] }
}

/** Some messages that match the words and all of the marks, in no order. */
export async function findCandidates(
  db: Db,
  query: string,
  marks: string,
  times: { since: Date | null; until: Date | null },
  limit: number,
): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    `select m.session_no, replace(m.key::text, '-', '') as key, m.created_at from transcripts.messages m
     where ${words} @@ ($1::tsquery && $2::tsquery)
       and ($3::timestamptz is null or m.created_at >= $3) and ($4::timestamptz is null or m.created_at < $4)
     limit $5`,
    [query, marks, times.since, times.until, limit],
  )
  return rows
}

/** The planner cannot know how common a word is, and to read the table would take minutes. */
export async function preferIndex(db: Db): Promise<void> {
  await db.query('set local enable_seqscan = off')
  await db.query("set local work_mem = '32MB'")
}

export async function sortInWords(db: Db): Promise<void> {
  await db.query("select gin_clean_pending_list('transcripts.messages_by_words')")
}

export interface CandidateText extends Candidate {
  text: string | null
}

/** The beginnings of messages, by which they are ranked. */
export async function readBeginnings(
  db: Db,
  candidates: readonly Candidate[],
  characters: number,
): Promise<CandidateText[]> {
  const { rows } = await db.query<CandidateText>(
    `select m.session_no, replace(m.key::text, '-', '') as key, m.created_at,
       left(coalesce(m.content, m.tool_input), $3) as text
     from unnest($1::bigint[], $2::uuid[]) as found (session_no, key)
     join transcripts.messages m using (session_no, key)`,
    [candidates.map(({ session_no }) => session_no), candidates.map(({ key }) => key), characters],
  )
  return rows
}

export interface HitRow {
  session_no: string
  key: string
  role: number
  kind: number
  tool_name: string | null
  created_at: Date | null
  text: string | null
}

export async function readHits(db: Db, candidates: readonly Candidate[]): Promise<HitRow[]> {
  const { rows } = await db.query<HitRow>(
    `select m.session_no, replace(m.key::text, '-', '') as key, m.role, m.kind, m.tool_name, m.created_at,
       left(coalesce(m.content, m.tool_input), 32768) as text
     from unnest($1::bigint[], $2::uuid[]) as found (session_no, key)
     join transcripts.messages m using (session_no, key)`,
    [candidates.map(({ session_no }) => session_no), candidates.map(({ key }) => key)],
  )
  return rows
}

/** Excerpts with marks around the words that match. */
export async function markWords(
  db: Db,
  query: string,
  texts: readonly string[],
  marks: { start: string; end: string },
): Promise<string[]> {
  const { rows } = await db.query<{ headline: string }>(
    `select ts_headline('english', text, $1::tsquery,
       'StartSel=${marks.start}, StopSel=${marks.end}, MinWords=15, MaxWords=35, ShortWord=0') as headline
     from unnest($2::text[]) with ordinality as given (text, place) order by place`,
    [query, texts],
  )
  return rows.map(({ headline }) => headline)
}

export interface SessionHit {
  no: string
  rank: number
  text: string
}

/** Sessions whose title, first prompt or summary matches. */
export async function findSessions(
  db: Db,
  query: string,
  conditions: string,
  values: readonly unknown[],
  limit: number,
): Promise<SessionHit[]> {
  const place = values.length
  const { rows } = await db.query<SessionHit>(
    `select s.no, ts_rank(s.words, $${place + 1}::tsquery) as rank,
       concat_ws(E'\\n', s.title, s.summary) as text
     from transcripts.sessions s
     where ${conditions} and s.words @@ $${place + 1}::tsquery and s.message_count > 0
     order by rank desc, s.ended_at desc nulls last limit $${place + 2}`,
    [...values, query, limit],
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

/** The day of the newest message, since 1970. */
export async function newestDay(db: Db, group: number): Promise<number> {
  const { rows } = await db.query<{ day: number | null }>(
    `select floor(extract(epoch from max(coalesce(ended_at, created_at))) / 86400)::int as day
     from transcripts.sessions where group_no = $1`,
    [group],
  )
  return rows[0]?.day ?? 0
}
