import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { Embedder } from '#embeddings'
import type { NearestChunks } from './nearest.ts'
import { assertUnit } from './vector-codec.ts'
import { createUnrelated } from './unrelated.ts'
import {
  createSelectWithAny,
  selectDocumentsOf,
  selectExact,
  selectWithAll,
  type ShownChunk,
  type WordsHit,
  type WordsQuery,
} from './words-store.ts'

/** A document by its best chunk. */
export interface Hit extends ShownChunk {
  similarity: number | null
  /** The share of the query's words that it has. */
  coverage: number
}

/** Documents that are called like the query, that are near in meaning, and that have the words; each best first. */
export interface Found {
  exact: Hit[]
  meaning: Hit[]
  words: Hit[]
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
  log: Log
}

/** Full text reads only the beginning: nobody types more, and a huge query would be refused by PostgreSQL. */
const maxWordsCharacters = 2_000
const embedWithinMs = 15_000
const chunksToDocuments = 4
const maxNameCharacters = 200
const maxExact = 10

export function createFind({ pool, embedder, nearest, model, log }: FindDeps) {
  const selectWithAny = createSelectWithAny(pool)
  const unrelated = createUnrelated(embedder)

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

  async function byWords(options: WordsQuery): Promise<WordsHit[]> {
    const { query, limit } = options
    const all = await selectWithAll(pool, options)
    // A query with operators is taken literally.
    if (all.length * chunksToDocuments >= limit || /["]|(^|\s)-\S|\bor\b/i.test(query)) return all
    const known = new Set(all.map(({ id }) => id))
    return [...all, ...(await selectWithAny(options)).filter(({ id }) => !known.has(id))]
  }

  async function find(options: FindQuery): Promise<Found> {
    const { groupId, kinds, limit } = options
    const query = options.text.toWellFormed().replaceAll('\0', ' ').slice(0, maxWordsCharacters)
    const [near, words, exact] = await Promise.all([
      byMeaning(options),
      byWords({ groupId, kinds, query, limit: limit * chunksToDocuments }),
      query.length > maxNameCharacters
        ? []
        : selectExact(pool, { groupId, kinds, query: query.trim(), limit: maxExact }),
    ])
    const coverage = new Map(words.map((hit) => [hit.id, hit.coverage]))
    // The nearest of all may still have nothing to do with the query: then only those with its words are found.
    if (Math.max(0, ...near.values()) < (options.vector ? await unrelated() : 0))
      for (const id of near.keys()) if (!coverage.has(id)) near.delete(id)
    const ids = [...new Set([...exact, ...near.keys(), ...coverage.keys()])]
    const shown = new Map((await selectDocumentsOf(pool, groupId, ids)).map((chunk) => [chunk.id, chunk]))
    const toHits = (chunkIds: Iterable<string>): Hit[] =>
      onePerDocument(
        [...chunkIds].flatMap((id) => {
          const chunk = shown.get(id)
          return chunk
            ? [{ ...chunk, similarity: near.get(id) ?? null, coverage: coverage.get(id) ?? 0 }]
            : []
        }),
      )
    return { exact: toHits(exact), meaning: toHits(near.keys()), words: toHits(coverage.keys()) }
  }

  return { vectorsOf, find }
}

export const keyOf = (hit: Hit): string => `${hit.kind}\0${hit.document_id}`

function onePerDocument(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) if (!best.has(keyOf(hit))) best.set(keyOf(hit), hit)
  return [...best.values()]
}
