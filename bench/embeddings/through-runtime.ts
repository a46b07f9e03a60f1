import { pino } from 'pino'
import { createEmbedder } from '../../src/embeddings/create-embedder.ts'
import { ollama } from '../../src/embeddings/drivers/ollama.ts'
import { createRuntimes } from '../../src/embeddings/drivers/runtimes.ts'
import { startFakeRuntime } from '../../test/fake-runtime/index.ts'
import { sentence } from './sentences.ts'

export interface ThroughRuntime {
  callers: number
  texts: number
  outOfPlace: number
  perSecond: number
  maxAtOnce: number
}

/** Several callers with 2,048 texts each, over two runtimes that respond after a while: is every vector in its place? */
export async function measureThroughRuntime(callers: number): Promise<ThroughRuntime> {
  const fakes = [await startFakeRuntime('ollama'), await startFakeRuntime('ollama')]
  for (const [index, fake] of fakes.entries()) fake.delayMs = 3 + index * 4
  const driver = createRuntimes(ollama, {
    urls: fakes.map(({ url }) => url),
    model: 'nomic-embed-text',
    digest: null,
    timeoutMs: 60_000,
    apiKey: undefined,
    log: pino({ level: 'silent' }),
    cut: async (texts) => texts,
  })
  const options = { model: 'bench', fingerprint: 'bench', isPrefixed: false, cacheBytes: 0 }
  const { embedder } = createEmbedder({ driver, ...options })
  const started = performance.now()
  const batches = Array.from({ length: callers }, (_, caller) =>
    Array.from({ length: 2_048 }, (_text, index) => sentence(caller * 2_048 + index)),
  )
  const results = await Promise.all(batches.map((texts) => embedder.embed(texts, 'search_document')))
  const seconds = (performance.now() - started) / 1_000
  const vectorOf = fakes[0]?.vectorOf ?? (() => [])
  const isRight = (vector: Float32Array | undefined, text: string): boolean =>
    vector !== undefined && vectorOf(text).every((value, at) => Math.abs(value - (vector[at] ?? 9)) < 1e-6)
  const outOfPlace = batches.flatMap((texts, caller) =>
    texts.filter((text, index) => !isRight(results[caller]?.[index], text)),
  ).length
  await driver.close()
  await Promise.all(fakes.map((fake) => fake.stop()))
  return {
    callers,
    texts: callers * 2_048,
    outOfPlace,
    perSecond: (callers * 2_048) / seconds,
    maxAtOnce: Math.max(...fakes.map(({ maxAtOnce }) => maxAtOnce)),
  }
}
