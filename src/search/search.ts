import type pg from 'pg'
import { chunkText } from './chunk.ts'
import type { ContextResponse, SearchResponse, SearchResult } from './contract.ts'
import { createFind, keyOf, type FindDeps, type Found, type Hit } from './find.ts'
import { selectHeadlines, marks } from './words-store.ts'

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

/**
 * Of several pieces of a text, a document counts with what it is to each of them. The chunk that is shown is the one
 * with the words, since they can be pointed at, unless another is nearer.
 */
function join(found: readonly Found[]): Joined[] {
  const documents = new Map<string, Joined>()
  for (const { hits, floor } of found.map(withEvidence)) {
    for (const [key, { hit, evidence, matched }] of hits) {
      const score = scoreOf(evidence, floor) / found.length
      const before = documents.get(key)
      const best = before && before.score >= score ? before : { hit, score, matched }
      documents.set(key, {
        hit: best.hit,
        score: score + (before?.score ?? 0),
        similarity: greatest(before?.similarity ?? null, evidence.similarity),
        matched: (['meaning', 'words'] as const).filter((way) =>
          [...matched, ...(before?.matched ?? [])].includes(way),
        ),
      })
    }
  }
  return [...documents.values()].toSorted((a, b) => b.score - a.score)
}

interface Candidate {
  hit: Hit
  evidence: Evidence
  matched: SearchResult['matched']
}

/** The documents of one query, each once. */
function withEvidence({ exact, meaning, words }: Found): { hits: Map<string, Candidate>; floor: number } {
  const hits = new Map<string, Candidate>()
  for (const hit of meaning)
    hits.set(keyOf(hit), {
      hit,
      evidence: { isExact: false, similarity: hit.similarity, coverage: 0, wordsRank: null },
      matched: ['meaning'],
    })
  words.forEach((hit, index) => {
    const before = hits.get(keyOf(hit))
    const similarity = greatest(before?.evidence.similarity ?? null, hit.similarity)
    hits.set(keyOf(hit), {
      hit,
      evidence: { isExact: false, similarity, coverage: hit.coverage, wordsRank: index + 1 },
      matched: before ? ['meaning', 'words'] : ['words'],
    })
  })
  for (const hit of exact) {
    const before = hits.get(keyOf(hit)) ?? { hit, evidence: unknown, matched: ['words' as const] }
    hits.set(keyOf(hit), { ...before, evidence: { ...before.evidence, isExact: true } })
  }
  return { hits, floor: meaning.at(-1)?.similarity ?? 0 }
}

const unknown: Evidence = { isExact: true, similarity: null, coverage: 1, wordsRank: null }

function greatest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
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

interface Excerpt {
  text: string
  /** Positions of the query's words in it: from and up to, in UTF-16 units. */
  highlights: [number, number][]
}

const longest = 400

/** A marked piece of text as it is shown: on one line, with the places of the marks instead of the marks. */
export function toExcerpt(marked: string): Excerpt {
  let text = ''
  let start: number | undefined
  const highlights: [number, number][] = []
  for (const character of marked.replaceAll(/\s+/g, ' ').trim()) {
    if (text.length + character.length > longest) break
    if (character === marks.start) start = text.length
    else if (character === marks.end) {
      if (start !== undefined && text.length > start) highlights.push([start, text.length])
      start = undefined
    } else text += character
  }
  return { text, highlights }
}

/** What is known of a document for a query. */
export interface Evidence {
  /** Its ID or its title is the query. */
  isExact: boolean
  /** The cosine; null where the document was found by its words alone. */
  similarity: number | null
  /** The share of the query's words that it has. */
  coverage: number
  /** Its place among the documents with the words, from 1. */
  wordsRank: number | null
}

/** All words of the query: worth more than what two texts about the same thing differ in. */
const allWords = 0.3
/**
 * Some of them: little, and the less the fewer. A question in other words than the document's shares a word with many
 * documents by chance; joined by ranks alone, those came before the right one.
 */
const someWords = 0.1
const wordsOrder = 0.02
const highest = 1 + allWords + wordsOrder

/** From 0 to 1. `floor` stands for the similarity of documents that were not near enough to be compared. */
export function scoreOf({ isExact, similarity, coverage, wordsRank }: Evidence, floor: number): number {
  if (isExact) return 1
  const words = coverage >= 1 ? allWords + wordsOrder / (wordsRank ?? 1) : someWords * coverage ** 3
  return Math.max(0, (similarity ?? floor) + words) / highest
}
