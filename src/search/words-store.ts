import type pg from 'pg'
import { shareOf, withAny, type Term } from './terms.ts'

/** Full text: chunks that have the words of a query, best first. */

/** Where to look, and how much to find. */
export interface Scope {
  groupId: string
  /** Null: of every kind. */
  kinds: readonly string[] | null
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

/** Of a statement whose parameters are the group, the query, the limit and, if there are some, the kinds. */
export const inScope = (kinds: readonly string[] | null): string =>
  `(group_id = $1 or group_id is null) ${kinds ? 'and kind = any($4::text[])' : ''}`

/** Chunks with all the words; quotes, `or` and a leading minus mean what they mean to search engines. */
export async function selectWithAll(
  pool: pg.Pool,
  scope: Scope,
  expression: 'websearch' | 'terms',
  query: string,
): Promise<WordsHit[]> {
  const asked = expression === 'websearch' ? `websearch_to_tsquery('english', $2)` : '$2::tsquery'
  const rows = await select(pool, scope, 'id', asked, `ts_rank_cd(words, ${asked}, 1)`, query)
  return rows.map(({ id }) => ({ id, coverage: 1 }))
}

/** Chunks with any of the words, the rarer ones: for questions in whole sentences, and for long texts. */
export async function selectWithAny(
  pool: pg.Pool,
  scope: Scope,
  terms: readonly Term[],
  rare: readonly Term[],
): Promise<WordsHit[]> {
  if (rare.length === 0) return []
  const columns = 'id, tsvector_to_array(words) as lexemes'
  const rank = 'ts_rank(words, $2::tsquery, 1)'
  const rows = await select(pool, scope, columns, '$2::tsquery', rank, withAny(rare))
  return rows.map(({ id, lexemes }) => ({ id, coverage: shareOf(terms, lexemes) }))
}

async function select(
  pool: pg.Pool,
  { groupId, kinds, limit }: Scope,
  columns: string,
  asked: string,
  rank: string,
  query: string,
): Promise<{ id: string; lexemes: string[] }[]> {
  const { rows } = await pool.query<{ id: string; lexemes: string[] }>(
    `with matching as materialized (
       select id, words from search.chunks
       where words @@ ${asked} and ${inScope(kinds)} limit ${maxRanked}
     )
     select ${columns} from matching order by ${rank} desc, id desc limit $3`,
    [groupId, query, limit, ...(kinds ? [kinds] : [])],
  )
  return rows
}

/** The terms that say most: few chunks have them. */
export function createRareTerms(pool: pg.Pool): (terms: readonly Term[]) => Promise<Term[]> {
  const commonWords = createCommonWords(pool)
  return async (terms) => {
    const shares = await commonWords()
    const placed = terms
      .map((term) => ({ term, share: Math.max(...term.lexemes.map((lexeme) => shares.get(lexeme) ?? 0)) }))
      .toSorted((a, b) => a.share - b.share)
    const rare = placed.filter(({ share }) => share <= commonAbove)
    return (rare.length > 0 ? rare : placed).slice(0, maxTerms).map(({ term }) => term)
  }
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
  title_lexemes: string[]
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
    `select chunks.id, chunks.kind, document_id, number, title, tsvector_to_array(title_words) as title_lexemes, url, at
     from search.chunks join search.documents on (documents.kind, documents.id) = (chunks.kind, document_id)
     where chunks.id = any($2::bigint[]) and (documents.group_id = $1 or documents.group_id is null)`,
    [groupId, chunkIds],
  )
  return rows
}

export async function selectContents(
  pool: pg.Pool,
  chunkIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; content: string }>(
    'select id, content from search.chunks where id = any($1::bigint[])',
    [chunkIds],
  )
  return new Map(rows.map((row) => [row.id, row.content]))
}
