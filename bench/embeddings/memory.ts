import { createEmbedder } from '../../src/embeddings/create-embedder.ts'
import { createBuiltin } from '../../src/embeddings/drivers/builtin.ts'
import { sentence } from './sentences.ts'

export interface Memory {
  texts: number
  perSecond: number
  /** Megabytes after a tenth of the texts, and the most that was seen after it. */
  early: number
  most: number
  last: number
}

/** Resident memory of this process, with the thread of the model in it, while texts go through everything but HTTP. */
export async function measureMemory(count: number): Promise<Memory> {
  const driver = createBuiltin()
  const { embedder } = createEmbedder({
    driver,
    model: 'bench',
    fingerprint: 'bench',
    isPrefixed: false,
    cacheBytes: 16_777_216,
  })
  const started = performance.now()
  const resident = (): number => process.memoryUsage.rss() / 1e6
  const atOnce = 1_000
  let early = 0
  let most = 0
  for (let from = 0; from < count; from += atOnce) {
    const texts = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => sentence(from + index))
    await embedder.embed(texts, 'search_document')
    if (from < count / 10) early = Math.max(early, resident())
    else most = Math.max(most, resident())
  }
  const last = resident()
  await driver.close()
  return { texts: count, perSecond: count / ((performance.now() - started) / 1_000), early, most, last }
}
