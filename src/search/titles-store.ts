import type pg from 'pg'
import { inScope, type Scope } from './words-store.ts'

/** Documents by their titles; each as its first chunk, the newest documents first. */

/** What is looked at of the titles that match: a common word must not make a search slow. */
const maxMatching = 2_000

export async function selectTitlesWithAll(
  pool: pg.Pool,
  scope: Scope,
  expression: 'websearch' | 'terms',
  query: string,
): Promise<string[]> {
  const asked = expression === 'websearch' ? `websearch_to_tsquery('english', $2)` : '$2::tsquery'
  return select(pool, scope, asked, query, 'at desc')
}

export async function selectTitlesWithAny(pool: pg.Pool, scope: Scope, query: string): Promise<string[]> {
  return select(pool, scope, '$2::tsquery', query, 'ts_rank(title_words, $2::tsquery) desc, at desc')
}

/** Whose title or ID is the query, whatever the case of its letters. */
export async function selectExact(pool: pg.Pool, scope: Scope, query: string): Promise<string[]> {
  return firstChunks(
    pool,
    `select kind, id, at from search.documents
     where (lower(left(title, 200)) = lower($2) or lower(left(id, 200)) = lower($2)) and ${inScope(scope.kinds)}`,
    scope,
    query,
    'at desc',
  )
}

function select(pool: pg.Pool, scope: Scope, asked: string, query: string, order: string): Promise<string[]> {
  return firstChunks(
    pool,
    `select kind, id, at, title_words from search.documents
     where title_words @@ ${asked} and ${inScope(scope.kinds)} limit ${maxMatching}`,
    scope,
    query,
    order,
  )
}

async function firstChunks(
  pool: pg.Pool,
  documents: string,
  { groupId, kinds, limit }: Scope,
  query: string,
  order: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with matching as materialized (${documents}),
     best as (select kind, id, row_number() over (order by ${order}) as place from matching order by place limit $3)
     select first.id from best cross join lateral (
       select chunks.id from search.chunks where (chunks.kind, document_id) = (best.kind, best.id) order by number limit 1
     ) as first order by place`,
    [groupId, query, limit, ...(kinds ? [kinds] : [])],
  )
  return rows.map((row) => row.id)
}
