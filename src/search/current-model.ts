import type pg from 'pg'
import type { Embedder } from '#embeddings'
import { findModel } from './vector-store.ts'

const noteUseEveryMs = 3_600_000

/** The number of the embedder's model in the tables. Asking for it now and then keeps its vectors from being dropped. */
export function createCurrentModel(pool: pg.Pool, embedder: Embedder): () => Promise<number> {
  let known: { fingerprint: string; until: number; id: Promise<number> } | undefined
  return async () => {
    const { fingerprint, model } = embedder
    if (known?.fingerprint === fingerprint && Date.now() < known.until) return known.id
    const id = findModel(pool, fingerprint, model)
    known = { fingerprint, until: Date.now() + noteUseEveryMs, id }
    id.catch(() => (known = undefined))
    return id
  }
}
