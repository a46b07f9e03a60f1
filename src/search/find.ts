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

export interface Asked {
  groupId: string
  kinds: readonly string[] | null
  text: string
  /** Null: the model could not be asked. */
  vector: Float32Array | null
  /** How many documents may be wanted of each list. */
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
const mostWordsCharacters = 2_000
const embedWithinMs = 15_000
const chunksToDocuments = 4

export function createFind({ pool, embedder, nearest, model, log }: FindDeps) {
  const selectWithAny = createSelectWithAny(pool)

  /** Vectors of questions, or null when the runtime is down: then words alone must do. */
  async function vectorsOf(texts: readonly string[]): Promise<Float32Array[] | null> {
    try {
      const vectors = await embedder.embed(texts, 'search_query', {
        priority: 'interactive',
        signal: AbortSignal.timeout(embedWithinMs),
      })
      for (const vector of vectors) assertUnit(vector)
      return vectors
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'a search goes by words alone')
      return null
    }
  }

  async function byMeaning({ groupId, kinds, vector, limit }: Asked): Promise<Map<string, number>> {
    if (!vector) return new Map()
    const near = await nearest().nearest({
      model: await model(),
      groupId,
      kinds,
      vector,
      limit: limit * chunksToDocuments,
    })
    // What points the other way is not about it, however little else there is.
    return new Map(
      near.filter(({ similarity }) => similarity > 0).map((chunk) => [chunk.chunkId, chunk.similarity]),
    )
  }

  async function byWords({ groupId, kinds, text, limit }: Asked): Promise<string[]> {
    const query = text.toWellFormed().replaceAll('\0', ' ').slice(0, mostWordsCharacters)
    const asked = { groupId, kinds, query, limit: limit * chunksToDocuments }
    const all = await selectWithAll(pool, asked)
    // Whoever writes operators means them.
    if (all.length >= limit || /["]|(^|\s)-\S|\bor\b/i.test(query)) return all
    return [...new Set([...all, ...(await selectWithAny(asked))])]
  }

  async function find(asked: Asked): Promise<Found> {
    const [near, words] = await Promise.all([byMeaning(asked), byWords(asked)])
    const ids = [...new Set([...near.keys(), ...words])]
    const shown = new Map(
      (await selectDocumentsOf(pool, asked.groupId, ids)).map((chunk) => [chunk.id, chunk]),
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
