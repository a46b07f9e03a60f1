import type pg from 'pg'

/** Full text: chunks that have the words of a query, best first. */

export interface WordsQuery {
  groupId: string
  kinds: readonly string[] | null
  query: string
  limit: number
}

/** What is ranked of the chunks that match any word: a common word must not make a search slow. */
const mostRanked = 3_000
/** Words in more chunks than this say nothing, unless there are no others. */
const commonAbove = 1_000
const mostTerms = 12

const inGroup = (kinds: readonly string[] | null): string =>
  `(group_id = $1 or group_id is null) ${kinds ? 'and kind = any($4::text[])' : ''}`

/** Chunks with all the words; quotes, `or` and a leading minus mean what they mean to search engines. */
export async function selectWithAll(pool: pg.Pool, asked: WordsQuery): Promise<string[]> {
  return select(pool, asked, `websearch_to_tsquery('english', $2)`, asked.query)
}

/** Chunks with any of the words, the rarer ones: for questions in whole sentences, and for long texts. */
export async function selectWithAny(pool: pg.Pool, asked: WordsQuery): Promise<string[]> {
  const terms = await selectRareTerms(pool, asked.query)
  if (terms.length === 0) return []
  const query = terms.map((term) => `'${term.replaceAll(/['\\]/g, '$&$&')}'`).join(' | ')
  return select(pool, asked, '$2::tsquery', query)
}

async function select(
  pool: pg.Pool,
  { groupId, kinds, limit }: WordsQuery,
  expression: string,
  query: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with matching as materialized (
       select id, words from search.chunks
       where words @@ ${expression} and ${inGroup(kinds)} limit ${mostRanked}
     )
     select id from matching order by ts_rank_cd(words, ${expression}, 1) desc, id desc limit $3`,
    [groupId, query, limit, ...(kinds ? [kinds] : [])],
  )
  return rows.map((row) => row.id)
}

/** The words of a text that are in few chunks, rarest first. */
async function selectRareTerms(pool: pg.Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ lexeme: string; chunks: number }>(
    `with terms as (
       select lexeme, cardinality(positions) as times from unnest(to_tsvector('english', $1))
       order by times desc, length(lexeme) desc limit 40
     )
     select lexeme, (
       select count(*)::integer from (
         select from search.chunks
         where words @@ ('''' || regexp_replace(lexeme, '([''\\\\])', '\\1\\1', 'g') || '''')::tsquery
         limit ${commonAbove + 1}
       ) as found
     ) as chunks
     from terms`,
    [text],
  )
  const there = rows.filter((row) => row.chunks > 0).toSorted((a, b) => a.chunks - b.chunks)
  const rare = there.filter((row) => row.chunks <= commonAbove)
  return (rare.length > 0 ? rare : there).slice(0, mostTerms).map((row) => row.lexeme)
}

export interface ShownChunk {
  id: string
  kind: string
  document_id: string
  number: number
  title: string
  url: string
  at: Date
}

/** The documents that chunks belong to. */
export async function selectDocumentsOf(
  pool: pg.Pool,
  groupId: string,
  chunkIds: readonly string[],
): Promise<ShownChunk[]> {
  const { rows } = await pool.query<ShownChunk>(
    `select chunks.id, chunks.kind, document_id, number, title, url, at
     from search.chunks join search.documents on (documents.kind, documents.id) = (chunks.kind, document_id)
     where chunks.id = any($2::bigint[]) and (documents.group_id = $1 or documents.group_id is null)`,
    [groupId, chunkIds],
  )
  return rows
}

/** Marks around words that match; the stored text has no control characters. */
export const marks = { start: '\u0002', end: '\u0003' } as const

/** The part of each chunk that has most of the words, with marks. */
export async function selectHeadlines(
  pool: pg.Pool,
  chunkIds: readonly string[],
  query: string,
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; headline: string }>(
    `select id, ts_headline('english', content, any_word.query,
       'StartSel=${marks.start}, StopSel=${marks.end}, MinWords=30, MaxWords=45, ShortWord=0') as headline
     from search.chunks,
       (select coalesce(string_agg('''' || regexp_replace(lexeme, '([''\\\\])', '\\1\\1', 'g') || '''', ' | '), '')::tsquery as query
        from (select lexeme from unnest(to_tsvector('english', $2)) limit 64) as terms) as any_word
     where id = any($1::bigint[])`,
    [chunkIds, query],
  )
  return new Map(rows.map((row) => [row.id, row.headline]))
}
