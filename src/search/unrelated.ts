import type { Embedder } from '#embeddings'

/** Nothing in these lists has anything to do with anything in the other. */
const queries = [
  'xqzv blorf',
  'asdfghjkl',
  'zzzz',
  '1234567890',
  'lorem ipsum dolor sit amet',
  'purple elephants dance a waltz',
  'how do I bake bread',
  'recipe for chocolate cake',
]
const documents = [
  'The deployment failed because the health check timed out after thirty seconds.',
  'Rotate the credentials of the backup job and tell the people on call.',
  'Users see an empty list after they change the filter of the invoices.',
  'We keep one queue per region so that a slow consumer delays nobody else.',
  'const total = rows.reduce((sum, row) => sum + row.amount, 0)',
  'Version 4.2 removes the old endpoint; clients must send the header instead.',
  'The certificate of the proxy expires in December, so renew it before the freeze.',
  'Latency rose when the cache was moved to another zone.',
]

/** Of the pairs above only the most similar counts, and a large archive has pairs that are more so. */
const margin = 0.06

/**
 * How similar unrelated texts are to the model in use: some models find no two texts below 0.5. What is not more
 * similar to a query than that is not about it.
 */
export function createUnrelated(embedder: Embedder): () => Promise<number> {
  let known: { fingerprint: string; similarity: Promise<number> } | undefined
  return () => {
    const { fingerprint } = embedder
    if (known?.fingerprint === fingerprint) return known.similarity
    const similarity = measure(embedder)
    known = { fingerprint, similarity }
    similarity.catch(() => (known = undefined))
    return similarity
  }
}

async function measure(embedder: Embedder): Promise<number> {
  const options = { priority: 'interactive', signal: AbortSignal.timeout(15_000) } as const
  const [asked, held] = await Promise.all([
    embedder.embed(queries, 'search_query', options),
    embedder.embed(documents, 'search_document', options),
  ])
  const most = Math.max(...asked.flatMap((query) => held.map((document) => dot(query, document))))
  return most + margin
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
