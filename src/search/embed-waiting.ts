import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '#kernel/log'
import type { Embedder } from '#embeddings'
import { TextFault } from '#embeddings'
import type { NearestChunks, NewVector } from './nearest.ts'
import { assertUnit } from './vector-codec.ts'
import { nextWaiting, putVectors, type WaitingChunk } from './vector-store.ts'

/** Small, so that a search never waits long behind one. */
const batchSize = 32

export interface EmbedWaitingDeps {
  pool: pg.Pool
  embedder: Embedder
  nearest: NearestChunks
  model: number
  log: Log
  signal: AbortSignal
  /** Pause between two batches, to leave processor time for requests. */
  restMs: number
}

/** Embeds the chunks that have no vector of the model yet, oldest first. */
export async function embedWaiting(deps: EmbedWaitingDeps): Promise<void> {
  const { pool, nearest, model, signal, restMs } = deps
  while (!signal.aborted) {
    const waiting = await nextWaiting(pool, model, batchSize)
    const last = waiting.at(-1)
    if (!last) return
    const vectors = await embedAll(deps, waiting)
    if (signal.aborted) return
    await putVectors(pool, nearest, model, vectors, last.id)
    await sleep(restMs)
  }
}

/** A chunk that the model refuses can still be found by words; any other failure is thrown and retried later. */
async function embedAll(
  { embedder, log, signal }: EmbedWaitingDeps,
  waiting: readonly WaitingChunk[],
): Promise<NewVector[]> {
  let chunks = [...waiting]
  while (chunks.length > 0) {
    try {
      const texts = chunks.map(textOf)
      const vectors = await embedder.embed(texts, 'search_document', { priority: 'background', signal })
      return chunks.map(({ id }, index) => {
        const vector = vectors[index]
        assertUnit(vector)
        return { chunkId: id, vector }
      })
    } catch (error) {
      const refused = error instanceof TextFault ? chunks[error.index] : undefined
      if (!refused) throw error
      log.warn(
        { chunk: refused.id, kind: refused.kind },
        'a chunk could not be embedded; it can be found by words only',
      )
      chunks = chunks.filter((chunk) => chunk !== refused)
    }
  }
  return []
}

/**
 * The title goes with every chunk: a piece from the middle seldom says what it is about. It counts twice: with the
 * built-in model 25 of 51 questions in other words then have their document in the first three, in place of 20.
 */
export function textOf({ title, content }: Pick<WaitingChunk, 'title' | 'content'>): string {
  return content.startsWith(title) ? `${title}\n\n${content}` : `${title}\n\n${title}\n\n${content}`
}
