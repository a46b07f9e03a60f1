import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { Embedder } from '#embeddings'
import type { NearestChunks } from './nearest.ts'
import { assertUnit } from './vector-codec.ts'
import { selectDocumentsOf, selectWithAll, createSelectWithAny, type ShownChunk } from './words-store.ts'

/** A document by its best chunk. */
export interface Hit extends ShownChunk {
  similarity: number | null
}

/** Documents nearest in meaning and documents with the words, each best first. */
export interface Found {
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

export function createFind({ pool, embedder, nearest, model, log }: FindDeps) {
  const selectWithAny = createSelectWithAny(pool)

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
    // A negative similarity is never a match, however few results there are.
    return new Map(
      near.filter(({ similarity }) => similarity > 0).map((chunk) => [chunk.chunkId, chunk.similarity]),
    )
  }

  async function byWords({ groupId, kinds, text, limit }: FindQuery): Promise<string[]> {
    const query = text.toWellFormed().replaceAll('\0', ' ').slice(0, maxWordsCharacters)
    const options = { groupId, kinds, query, limit: limit * chunksToDocuments }
    const all = await selectWithAll(pool, options)
    // A query with operators is taken literally.
    if (all.length >= limit || /["]|(^|\s)-\S|\bor\b/i.test(query)) return all
    return [...new Set([...all, ...(await selectWithAny(options))])]
  }

  async function find(options: FindQuery): Promise<Found> {
    const [near, words] = await Promise.all([byMeaning(options), byWords(options)])
    const ids = [...new Set([...near.keys(), ...words])]
    const shown = new Map(
      (await selectDocumentsOf(pool, options.groupId, ids)).map((chunk) => [chunk.id, chunk]),
    )
    const toHits = (chunkIds: Iterable<string>): Hit[] =>
      onePerDocument(
        [...chunkIds].flatMap((id) => {
          const chunk = shown.get(id)
          return chunk ? [{ ...chunk, similarity: near.get(id) ?? null }] : []
        }),
      )
    return { meaning: toHits(near.keys()), words: toHits(words) }
  }

  return { vectorsOf, find }
}

export const keyOf = (hit: Hit): string => `${hit.kind}\0${hit.document_id}`

function onePerDocument(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) if (!best.has(keyOf(hit))) best.set(keyOf(hit), hit)
  return [...best.values()]
}
