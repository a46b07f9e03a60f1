import type pg from 'pg'
import { chunkText } from './chunk.ts'
import type { ContextResponse, SearchResponse, SearchResult } from './contract.ts'
import { toExcerpt } from './excerpt.ts'
import { createFind, keyOf, type FindDeps, type Found, type Hit } from './find.ts'
import { fuse } from './fusion.ts'
import { selectHeadlines } from './words-store.ts'

export interface SearchQuery {
  groupId: string
  text: string
  /** Null: of every kind. */
  kinds: readonly string[] | null
  limit: number
}

/** Pieces of a long text that are looked up, spread evenly over it. */
const maxPieces = 8
/** Documents of each list that take part in a fusion; below them ranks say little. */
const minDepth = 50

export function createSearchEverything(deps: FindDeps) {
  const { vectorsOf, find } = createFind(deps)

  return {
    async search({ groupId, text, kinds, limit }: SearchQuery): Promise<SearchResponse> {
      const vectors = await vectorsOf([text])
      const depth = Math.max(minDepth, limit)
      const found = await find({ groupId, kinds, text, vector: vectors?.[0] ?? null, limit: depth })
      const best = join([found], vectors !== null).slice(0, limit)
      return { results: await show(deps.pool, best, text), semantic: vectors !== null }
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
      const byKind = Map.groupBy(join(found, vectors !== null), ({ hit }) => hit.kind)
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

interface Joined {
  hit: Hit
  score: number
  similarity: number | null
  matched: SearchResult['matched']
}

/** All lists by their ranks; the chunk that is shown comes from the list in which the document ranks highest. */
function join(found: readonly Found[], isSemantic: boolean): Joined[] {
  const lists = found.flatMap(({ meaning, words }) =>
    isSemantic
      ? [
          { hits: meaning, way: 'meaning' as const },
          { hits: words, way: 'words' as const },
        ]
      : [{ hits: words, way: 'words' as const }],
  )
  return fuse(lists.map(({ hits }) => hits.map(keyOf))).flatMap(({ score, ranks }) => {
    const places = ranks.flatMap((rank, index) => {
      const list = lists[index]
      const hit = rank === null ? undefined : list?.hits[rank - 1]
      return rank !== null && list && hit ? [{ rank, way: list.way, hit }] : []
    })
    // Of equal places the words' is shown, since it can be pointed at.
    const best = places.toSorted((a, b) => a.rank - b.rank || b.way.localeCompare(a.way))[0]
    if (!best) return []
    const similarities = places.flatMap(({ hit }) => hit.similarity ?? [])
    return {
      hit: best.hit,
      score,
      similarity: similarities.length > 0 ? Math.max(...similarities) : null,
      matched: (['meaning', 'words'] as const).filter((way) => places.some((place) => place.way === way)),
    }
  })
}

async function show(pool: pg.Pool, joined: readonly Joined[], query: string): Promise<SearchResult[]> {
  const headlines = await selectHeadlines(
    pool,
    joined.map(({ hit }) => hit.id),
    query.toWellFormed().replaceAll('\0', ' ').slice(0, 2_000),
  )
  return joined.map(({ hit, score, similarity, matched }) => {
    const { text, highlights } = toExcerpt(headlines.get(hit.id) ?? '')
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
