import type pg from 'pg'
import { chunkText } from './chunk.ts'
import {
  maxResults,
  type ContextResponse,
  type SearchByKindResponse,
  type SearchResponse,
  type SearchResult,
} from './contract.ts'
import { toExcerpt } from './excerpt.ts'
import { createFind, type FindDeps, type Found, type Hit } from './find.ts'
import { scoreOf, someWords } from './score.ts'
import { selectContents } from './words-store.ts'

export interface SearchQuery {
  groupId: string
  text: string
  /** Null: of every kind. */
  kinds: readonly string[] | null
  limit: number
}

/** Pieces of a long text that are looked up, spread evenly over it. */
const maxPieces = 8
/** Documents that are compared; below them ranks say little. */
const minDepth = 50

/** What is found in some kinds does not depend on how much of it is shown, so that it can be counted. */
const depthOf = ({ kinds, limit }: SearchQuery): number =>
  kinds === null ? Math.max(minDepth, limit) : maxResults + 1

export function createSearchEverything(deps: FindDeps) {
  const { vectorsOf, find } = createFind(deps)

  async function findClose(query: SearchQuery, vector: Float32Array | null) {
    const found = await find({ ...query, vector, limit: depthOf(query) })
    return { ...found, best: closeOnes(join([found]), vector !== null) }
  }

  return {
    async search(query: SearchQuery): Promise<SearchResponse> {
      const vectors = await vectorsOf([query.text])
      const { best, marked } = await findClose(query, vectors?.[0] ?? null)
      return {
        results: await show(deps.pool, best.slice(0, query.limit), marked),
        semantic: vectors !== null,
      }
    },

    /** What a search in each kind alone finds: how much, and the best of it. */
    async byKind(query: SearchQuery, titles: ReadonlyMap<string, string>): Promise<SearchByKindResponse> {
      const vectors = await vectorsOf([query.text])
      const kinds: SearchByKindResponse['kinds'] = []
      // One after the other: a caller has few connections.
      for (const [kind, title] of titles) {
        const { best, marked, isCut } = await findClose({ ...query, kinds: [kind] }, vectors?.[0] ?? null)
        const results = await show(deps.pool, best.slice(0, query.limit), marked)
        const count = Math.min(best.length, maxResults)
        kinds.push({ kind, title, count, is_more: isCut || best.length > maxResults, results })
      }
      return { kinds, semantic: vectors !== null }
    },

    /** What is known about a text: its pieces are looked up one by one, and what they find is joined. */
    async context(query: SearchQuery, titles: ReadonlyMap<string, string>): Promise<ContextResponse> {
      const { groupId, kinds, limit } = query
      const pieces = evenly(chunkText(query.text), maxPieces)
      const vectors = await vectorsOf(pieces)
      const depth = Math.max(minDepth, limit)
      const found = await Promise.all(
        pieces.map((text, index) =>
          find({ groupId, kinds, text, vector: vectors?.[index] ?? null, limit: depth }),
        ),
      )
      const byKind = Map.groupBy(join(found), ({ hit }) => hit.kind)
      const groups = await Promise.all(
        [...byKind].map(async ([kind, joined]) => ({
          kind,
          title: titles.get(kind) ?? kind,
          results: await show(deps.pool, joined.slice(0, limit), query.text.slice(0, 2_000)),
        })),
      )
      return { groups, semantic: vectors !== null }
    },
  }
}

/** Below this similarity no known model means that two texts are related. */
const minSimilarity = 0.15

/**
 * Something is always nearest. A document with few of the words is found only if it is half as near as the nearest of
 * all, and not at all by its nearness alone if that says nothing.
 */
function closeOnes(joined: readonly Joined[], isSemantic: boolean): Joined[] {
  const nearest = joined.reduce((most, { similarity }) => Math.max(most, similarity ?? 0), 0)
  const least = Math.max(minSimilarity, nearest / 2)
  return joined.filter(
    ({ hit: { evidence, matched }, similarity }) =>
      (similarity ?? 0) >= least ||
      evidence.isExact ||
      (matched.includes('words') && (!isSemantic || evidence.words >= someWords)),
  )
}

interface Joined {
  hit: Hit
  score: number
  similarity: number | null
  matched: SearchResult['matched']
}

/** Of several pieces of a text, a document counts with what it is to each of them, and is shown as to the best. */
function join(found: readonly Found[]): Joined[] {
  const now = Date.now()
  const scored = found.flatMap(({ hits, floor }) =>
    hits.map((hit) => ({ hit, score: scoreOf(hit.evidence, floor, now) })),
  )
  return [...Map.groupBy(scored, ({ hit }) => `${hit.kind}\0${hit.document_id}`).values()]
    .map((of) => {
      const [best] = of.toSorted((a, b) => b.score - a.score)
      const similarities = of.flatMap(({ hit }) => hit.evidence.similarity ?? [])
      return {
        hit: (best as (typeof of)[number]).hit,
        score: of.reduce((sum, { score }) => sum + score, 0) / found.length,
        similarity: similarities.length > 0 ? Math.max(...similarities) : null,
        matched: (['meaning', 'words'] as const).filter((way) =>
          of.some(({ hit }) => hit.matched.includes(way)),
        ),
      }
    })
    .toSorted((a, b) => b.score - a.score || b.hit.at.getTime() - a.hit.at.getTime())
}

async function show(pool: pg.Pool, joined: readonly Joined[], query: string): Promise<SearchResult[]> {
  const contents = await selectContents(
    pool,
    joined.map(({ hit }) => hit.id),
  )
  return joined.map(({ hit, score, similarity, matched }) => {
    const { text, highlights } = toExcerpt(contents.get(hit.id) ?? '', query)
    return {
      kind: hit.kind,
      id: hit.document_id,
      title: hit.title,
      excerpt: text,
      score,
      url: hit.url,
      at: hit.at.toISOString(),
      similarity,
      matched,
      highlights,
    }
  })
}

function evenly<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items]
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T)
}
