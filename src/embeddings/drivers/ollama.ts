import { z } from 'zod'
import { unitVectors } from '../vectors.ts'
import type { Probe } from './driver.ts'
import type { RuntimeHttp } from './runtime-http.ts'
import type { Wire } from './wire.ts'

const tags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      digest: z.string().optional(),
      details: z.object({ family: z.string().optional() }).optional(),
    }),
  ),
})

/** Families of models that are made for embedding; others are known by their name. */
const isEmbeddingModel = (name: string, family = ''): boolean =>
  /bert/.test(family) || /embed|bge|minilm|gte-|e5-/i.test(name)

const withTag = (name: string): string => (name.includes(':') ? name : `${name}:latest`)

export const ollama: Wire = {
  // Ollama works through a batch one text after the other: small batches keep waiting times short.
  limits: { texts: 32, bytes: 1_048_576, concurrency: 2 },
  async embed(http: RuntimeHttp, model, texts, signal) {
    const response = await http.post('/api/embed', { model, input: texts }, signal)
    return unitVectors((response as { embeddings?: unknown } | null)?.embeddings, texts.length)
  },
  async probe(http: RuntimeHttp, model): Promise<Probe> {
    const { models } = tags.parse(await http.get('/api/tags'))
    const held = models.find(({ name }) => name === withTag(model))
    return {
      models: models.map(({ name }) => name),
      embeddingModels: models
        .filter(({ name, details }) => isEmbeddingModel(name, details?.family))
        .map(({ name }) => name),
      hasModel: held !== undefined,
      digest: held?.digest ?? null,
    }
  },
}
