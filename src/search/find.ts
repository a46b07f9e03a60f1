import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { SearchKind } from '#kernel/search'
import type { Embedder } from '#embeddings'
import type { NearestChunks } from './nearest.ts'
import { assertUnit } from './vector-codec.ts'
import { createUnrelated } from './unrelated.ts'
import { chunksToDocuments, createByWords } from './by-words.ts'
import type { SearchResult } from './contract.ts'
import { createPresent } from './present.ts'
import { readQuery } from './query-words.ts'
import type { Evidence } from './score.ts'
import { shareOf } from './terms.ts'
import { selectDocumentsOf, type ShownChunk } from './words-store.ts'

/** A document by the chunk of it that is shown. */
export interface Hit extends ShownChunk {
  evidence: Evidence
  matched: SearchResult['matched']
}

/** The documents that may be meant. `floor` stands for the similarity of those that were not near enough. */
export interface Found {
  hits: Hit[]
  floor: number
  /** More chunks have the words than were looked at. */
  isCut: boolean
  /** What marks what was found: other words than those typed where one was mistyped. */
  marked: string
}

export interface FindQuery {
  groupId: string
  kinds: readonly string[] | null
  text: string
  /** Null: the model was unavailable. */
  vector: Float32Array | null
  /** How many documents to return of each list. */
  limit: number
}

export interface FindDeps {
  pool: pg.Pool
  embedder: Embedder
  nearest(): NearestChunks
  model(): Promise<number>
  kinds: ReadonlyMap<string, SearchKind>
  log: Log
}

/** Full text reads only the beginning: nobody types more, and a huge query would be refused by PostgreSQL. */
const maxWordsCharacters = 2_000
const embedWithinMs = 15_000

export function createFind({ pool, embedder, nearest, model, kinds: given, log }: FindDeps) {
  const byWords = createByWords(pool)
  const unrelated = createUnrelated(embedder)
  const present = createPresent(given, log)

  /** Vectors of the queries, or null when the runtime is unavailable: then only words are searched. */
  async function vectorsOf(texts: readonly string[]): Promise<Float32Array[] | null> {
    try {
      const vectors = await embedder.embed(texts, 'search_query', {
        priority: 'interactive',
        signal: AbortSignal.timeout(embedWithinMs),
      })
      for (const vector of vectors) assertUnit(vector)
      return vectors
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'a search uses words only: the query could not be embedded')
      return null
    }
  }

  async function byMeaning({ groupId, kinds, vector, limit }: FindQuery): Promise<Map<string, number>> {
    if (!vector) return new Map()
    const near = await nearest().nearest({
      model: await model(),
      groupId,
      kinds,
      vector,
      limit: limit * chunksToDocuments,
    })
    return new Map(
      near.filter(({ similarity }) => similarity > 0).map((chunk) => [chunk.chunkId, chunk.similarity]),
    )
  }

  async function find(options: FindQuery): Promise<Found> {
    const { groupId, vector } = options
    const typed = options.text.toWellFormed().replaceAll('\0', ' ').slice(0, maxWordsCharacters)
    const query = readQuery(typed)
    const [near, named] = await Promise.all([byMeaning(options), byWords(options, typed, query)])
    const { coverage } = named
    // The nearest of all may still have nothing to do with the query; a condition keeps out what does not meet it.
    const isAbout = Math.max(0, ...near.values()) >= (vector ? await unrelated() : 0)
    if (!isAbout || (query.isLiteral && coverage.size > 0))
      for (const id of near.keys()) if (!coverage.has(id)) near.delete(id)
    const ids = [...new Set([...named.titles, ...near.keys(), ...coverage.keys()])]
    const chunks = await present(await selectDocumentsOf(pool, groupId, ids))
    const exact = new Set(named.exact)
    const hits = [...Map.groupBy(chunks, keyOf).values()].map((of): Hit => {
      const shown = bestOf(of, coverage, near)
      const title = shareOf(named.terms, shown.title_lexemes)
      const words = Math.max(title, ...of.map(({ id }) => coverage.get(id) ?? 0))
      const similarities = of.flatMap(({ id }) => near.get(id) ?? [])
      const similarity = similarities.length > 0 ? Math.max(...similarities) : null
      const isExact = of.some(({ id }) => exact.has(id))
      const isNamed = isExact || words > 0
      return {
        ...shown,
        evidence: { isExact, title, words, similarity, at: shown.at },
        matched: [
          ...(similarity === null ? [] : ['meaning' as const]),
          ...(isNamed ? ['words' as const] : []),
        ],
      }
    })
    const floor = near.size > 0 ? Math.min(...near.values()) : 0
    return {
      hits,
      floor,
      isCut: coverage.size >= options.limit * chunksToDocuments,
      marked: named.terms.flatMap(({ words }) => words).join(' '),
    }
  }

  return { vectorsOf, find }
}

const keyOf = (chunk: ShownChunk): string => `${chunk.kind}\0${chunk.document_id}`

/** The one with the words, since they can be pointed at; of several the nearest, else the first. */
function bestOf(
  chunks: readonly ShownChunk[],
  coverage: ReadonlyMap<string, number>,
  near: ReadonlyMap<string, number>,
): ShownChunk {
  const [best] = chunks.toSorted(
    (a, b) =>
      (coverage.get(b.id) ?? 0) - (coverage.get(a.id) ?? 0) ||
      (near.get(b.id) ?? 0) - (near.get(a.id) ?? 0) ||
      a.number - b.number,
  )
  return best as ShownChunk
}
