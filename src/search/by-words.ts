import type pg from 'pg'
import type { QueryText } from './query-words.ts'
import { createSpelling } from './spelling.ts'
import { selectTerms, withAll, withAny, type Term } from './terms.ts'
import { selectExact, selectTitlesWithAll, selectTitlesWithAny } from './titles-store.ts'
import { createRareTerms, selectWithAll, selectWithAny, type WordsHit } from './words-store.ts'

export interface Named {
  /** Chunks with the words, by the share that each has. */
  coverage: Map<string, number>
  /** First chunks of documents: those called like the query, and those with its words in their titles. */
  exact: string[]
  titles: string[]
  terms: readonly Term[]
}

interface Where {
  groupId: string
  kinds: readonly string[] | null
  /** Documents. */
  limit: number
}

/** A document has several chunks. */
export const chunksToDocuments = 4
const maxNameCharacters = 200
const maxExact = 10

/** Documents that are called like a query, have its words in their titles, or in their texts. */
export function createByWords(pool: pg.Pool) {
  const rareOf = createRareTerms(pool)
  const spelling = createSpelling(pool)

  async function withAllWords(where: Where, expression: 'websearch' | 'terms', text: string, title = text) {
    const [all, titles] = await Promise.all([
      selectWithAll(pool, { ...where, limit: where.limit * chunksToDocuments }, expression, text),
      selectTitlesWithAll(pool, where, expression, title),
    ])
    return { all, titles }
  }

  /** Nothing has all the words as they were typed: with what they may mean. */
  async function withMeanings(where: Where, words: readonly string[]) {
    const terms = await selectTerms(pool, await spelling(where.groupId, words))
    return terms.length === 0
      ? { terms, all: [], titles: [] }
      : { terms, ...(await withAllWords(where, 'terms', withAll(terms))) }
  }

  async function withAnyWord(
    where: Where,
    terms: readonly Term[],
  ): Promise<{ any: WordsHit[]; titles: string[] }> {
    const rare = await rareOf(terms)
    if (rare.length === 0) return { any: [], titles: [] }
    const [any, titles] = await Promise.all([
      selectWithAny(pool, { ...where, limit: where.limit * chunksToDocuments }, terms, rare),
      selectTitlesWithAny(pool, where, withAny(rare)),
    ])
    return { any, titles }
  }

  return async (where: Where, typed: string, query: QueryText): Promise<Named> => {
    const isName = typed.length <= maxNameCharacters
    const [exact, typedTerms, found] = await Promise.all([
      isName ? selectExact(pool, { ...where, limit: maxExact }, typed.trim()) : [],
      selectTerms(
        pool,
        query.words.map((word) => [word]),
      ),
      withAllWords(where, 'websearch', query.forText, query.forTitles),
    ])
    let terms = typedTerms
    let { all, titles } = found
    if (!query.hasOperators && exact.length + all.length + titles.length === 0)
      ({ terms, all, titles } = await withMeanings(where, query.words))
    const coverage = new Map(all.map((hit) => [hit.id, hit.coverage]))
    // A query with operators is taken literally.
    if (query.hasOperators || all.length >= where.limit)
      return { coverage, exact, titles: [...exact, ...titles], terms }
    const some = await withAnyWord(where, terms)
    for (const { id, coverage: share } of some.any) if (!coverage.has(id)) coverage.set(id, share)
    return { coverage, exact, titles: [...exact, ...titles, ...some.titles], terms }
  }
}
