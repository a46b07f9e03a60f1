import { createNearestBits } from '../../src/search/nearest-bits.ts'
import { textOf } from '../../src/search/embed-waiting.ts'
import { createCorpus } from './corpus.ts'
import { processorTime } from './processor-time.ts'
import type { BenchProduct } from './product.ts'

export interface Times {
  p50: number
  p95: number
}

export interface Recall extends Times {
  limit: number
  share: number
}

/** How much of what exact search finds first is found, and how long that takes in the database alone. */
export async function measureRecall(product: BenchProduct, count: number): Promise<Recall[]> {
  const questions = questionsOf(2, count)
  const vectors = await embed(product, questions, 'search_query')
  const limits = [10, 50]
  const exact = await exactlyNearest(product, vectors, Math.max(...limits))
  const { pool } = product.database
  const { rows } = await pool.query<{ id: number }>('select id from search.models')
  const nearest = createNearestBits(pool)
  const found: Recall[] = []
  for (const limit of limits) {
    const times: number[] = []
    let hits = 0
    for (const [index, vector] of vectors.entries()) {
      const started = performance.now()
      const near = await nearest.nearest({
        model: rows[0]?.id ?? 0,
        groupId: product.groupId,
        kinds: null,
        vector,
        limit,
      })
      times.push(performance.now() - started)
      const wanted = new Set(exact[index]?.slice(0, limit))
      hits += near.filter(({ chunkId }) => wanted.has(chunkId)).length
    }
    found.push({ limit, share: hits / (count * limit), ...timesOf(times) })
  }
  return found
}

/** Other questions than before, as a client asks them. */
export async function measureSearches(
  product: BenchProduct,
  count: number,
): Promise<Times & { processorMs: number }> {
  const times: number[] = []
  let used = 0
  for (const [index, query] of questionsOf(3, count + 10).entries()) {
    if (index === 10) used = processorTime(product.folder)
    const started = performance.now()
    const response = await post(product, '/api/v1/search', { query, limit: 10 })
    const { semantic } = (await response.json()) as { semantic: boolean }
    if (!semantic) throw new Error('The search went by words alone')
    // The first few warm everything up.
    if (index >= 10) times.push(performance.now() - started)
  }
  return { ...timesOf(times), processorMs: Math.round((processorTime(product.folder) - used) / count) }
}

function questionsOf(seed: number, count: number): string[] {
  const corpus = createCorpus(seed)
  return Array.from({ length: count }, () => corpus.question())
}

/** Brute force over float vectors, made again from the chunks' texts. */
async function exactlyNearest(
  product: BenchProduct,
  queries: readonly Float32Array[],
  limit: number,
): Promise<string[][]> {
  const best = queries.map((): { id: string; similarity: number }[] => [])
  for (let after = '0'; ;) {
    const { rows } = await product.database.pool.query<{ id: string; title: string; content: string }>(
      `select chunks.id, title, content from search.chunks
       join search.documents on (documents.kind, documents.id) = (chunks.kind, document_id)
       where chunks.id > $1 order by chunks.id limit 2000`,
      [after],
    )
    const last = rows.at(-1)
    if (!last) return best.map((list) => list.map(({ id }) => id))
    const vectors = await embed(product, rows.map(textOf), 'search_document')
    for (const [index, query] of queries.entries()) {
      const scored = rows.map(({ id }, row) => ({ id, similarity: dot(query, vectors[row]) }))
      best[index] = [...(best[index] ?? []), ...scored]
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, limit)
    }
    after = last.id
  }
}

async function embed(product: BenchProduct, texts: readonly string[], task: string): Promise<Float32Array[]> {
  const response = await post(product, '/api/v1/embed/batch', { texts, task })
  const { embeddings } = (await response.json()) as { embeddings: number[][] }
  return embeddings.map((values) => Float32Array.from(values))
}

async function post({ url, key }: BenchProduct, path: string, body: object): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

function dot(a: Float32Array, b: Float32Array = new Float32Array()): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}
