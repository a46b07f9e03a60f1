import type pg from 'pg'
import { chunkText } from './chunk.ts'
import type { ContextResponse, SearchResponse, SearchResult } from './contract.ts'
import { toExcerpt } from './excerpt.ts'
import { createFind, type FindDeps, type Found, type Hit } from './find.ts'
import { scoreOf } from './score.ts'
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
/** Documents of each list that take part in a fusion; below them ranks say little. */
const minDepth = 50

export function createSearchEverything(deps: FindDeps) {
  const { vectorsOf, find } = createFind(deps)

  return {
    async search({ groupId, text, kinds, limit }: SearchQuery): Promise<SearchResponse> {
      const vectors = await vectorsOf([text])
      const depth = Math.max(minDepth, limit)
      const found = await find({ groupId, kinds, text, vector: vectors?.[0] ?? null, limit: depth })
      const best = join([found]).slice(0, limit)
      return { results: await show(deps.pool, best, found.marked), semantic: vectors !== null }
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
        matched: (['meaning', 'words'] as const).filter((way) => of.some(({ hit }) => hit.matched.includes(way))),
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
