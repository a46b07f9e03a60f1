import type pg from 'pg'
import { fewWords } from './few-words.ts'

/** Full text: chunks that have the words of a query, best first. */

export interface WordsQuery {
  groupId: string
  kinds: readonly string[] | null
  query: string
  limit: number
}

/** A chunk, and the share of the query's words that it has. */
export interface WordsHit {
  id: string
  coverage: number
}

/** What is ranked of the chunks that match: a common word must not make a search slow. */
const maxRanked = 2_000
/** Words in a greater share of the chunks say little, unless there are no others. */
const commonAbove = 0.02
const maxTerms = 12
const readCommonEveryMs = 300_000

const inGroup = (kinds: readonly string[] | null): string =>
  `(group_id = $1 or group_id is null) ${kinds ? 'and kind = any($4::text[])' : ''}`

/** Chunks with all the words; quotes, `or` and a leading minus mean what they mean to search engines. */
export async function selectWithAll(pool: pg.Pool, options: WordsQuery): Promise<WordsHit[]> {
  const query = fewWords(options.query)
  const rows = await select(pool, options, 'ts_rank_cd', `websearch_to_tsquery('english', $2)`, query)
  return rows.map(({ id }) => ({ id, coverage: 1 }))
}

/** Chunks with any of the words, the rarer ones: for questions in whole sentences, and for long texts. */
export function createSelectWithAny(pool: pg.Pool): (options: WordsQuery) => Promise<WordsHit[]> {
  const shareOf = createCommonWords(pool)
  return async (options) => {
    const shares = await shareOf()
    const terms = (await selectTerms(pool, options.query))
      .map((term) => ({ term, share: shares.get(term) ?? 0 }))
      .toSorted((a, b) => a.share - b.share)
    const rare = terms.filter(({ share }) => share <= commonAbove)
    const chosen = (rare.length > 0 ? rare : terms).slice(0, maxTerms)
    if (chosen.length === 0) return []
    const query = chosen.map(({ term }) => `'${term.replaceAll(/['\\]/g, '$&$&')}'`).join(' | ')
    const asked = new Set(terms.map(({ term }) => term))
    const rows = await select(pool, options, 'ts_rank', '$2::tsquery', query)
    return rows.map(({ id, lexemes }) => ({
      id,
      coverage: lexemes.filter((lexeme) => asked.has(lexeme)).length / asked.size,
    }))
  }
}

async function select(
  pool: pg.Pool,
  { groupId, kinds, limit }: WordsQuery,
  rank: 'ts_rank' | 'ts_rank_cd',
  expression: string,
  query: string,
): Promise<{ id: string; lexemes: string[] }[]> {
  const { rows } = await pool.query<{ id: string; lexemes: string[] }>(
    `with matching as materialized (
       select id, words from search.chunks
       where words @@ ${expression} and ${inGroup(kinds)} limit ${maxRanked}
     )
     select id, tsvector_to_array(words) as lexemes from matching order by ${rank}(words, ${expression}, 1) desc, id desc limit $3`,
    [groupId, query, limit, ...(kinds ? [kinds] : [])],
  )
  return rows
}

async function selectTerms(pool: pg.Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ lexeme: string }>(
    `select lexeme from unnest(to_tsvector('english', $1)) order by cardinality(positions) desc limit 64`,
    [text],
  )
  return rows.map((row) => row.lexeme)
}

/** The share of chunks that a common word is in, from what PostgreSQL gathered for its planner. */
function createCommonWords(pool: pg.Pool): () => Promise<ReadonlyMap<string, number>> {
  let shares: ReadonlyMap<string, number> = new Map()
  let readAt = -Infinity
  return async () => {
    if (performance.now() - readAt < readCommonEveryMs) return shares
    readAt = performance.now()
    const { rows } = await pool.query<{ words: string[]; shares: number[] }>(
      `select most_common_elems::text::text[] as words, most_common_elem_freqs as shares from pg_stats
       where schemaname = 'search' and tablename = 'chunks' and attname = 'words'
         and most_common_elems is not null`,
    )
    shares = new Map(rows[0]?.words.map((word, index) => [word, rows[0]?.shares[index] ?? 0]))
    return shares
  }
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

/** The first chunk of each document whose ID or title is the query, whatever the case of its letters. */
export async function selectExact(
  pool: pg.Pool,
  { groupId, kinds, query, limit }: WordsQuery,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select min(chunks.id) as id
     from search.documents join search.chunks on (chunks.kind, document_id) = (documents.kind, documents.id)
     where (lower(left(title, 200)) = lower($2) or lower(left(documents.id, 200)) = lower($2))
       and (documents.group_id = $1 or documents.group_id is null)
       ${kinds ? 'and documents.kind = any($4::text[])' : ''}
     group by documents.kind, documents.id, at order by at desc limit $3`,
    [groupId, query, limit, ...(kinds ? [kinds] : [])],
  )
  return rows.map((row) => row.id)
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
