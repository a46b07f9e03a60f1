import type { Embedder } from '#embeddings'
import type { RankResponse } from './contract.ts'

/** Given texts by their nearness to a query, nearest first; equal ones keep their order. */
export async function rankTexts(
  embedder: Embedder,
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<RankResponse> {
  const options = { priority: 'interactive', signal } as const
  const [queries, vectors] = await Promise.all([
    embedder.embed([query], 'search_query', options),
    embedder.embed(texts, 'search_document', options),
  ])
  const queryVector = queries[0] ?? new Float32Array()
  const results = texts.map((text, index) => ({ index, score: dot(queryVector, vectors[index]), text }))
  return { results: results.toSorted((a, b) => b.score - a.score), model: embedder.model }
}

function dot(a: Float32Array, b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}
