import { z } from 'zod'
import { BadVector, unitVectors } from '../vectors.ts'
import { RuntimeDown, type Probe } from './driver.ts'
import type { RuntimeHttp } from './runtime-http.ts'
import type { Wire } from './wire.ts'

const list = z.object({ data: z.array(z.object({ id: z.string() })) })
const embeddings = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.unknown() })) })

/** llama.cpp server, vLLM, LM Studio, text-embeddings-inference and every other server of `/v1/embeddings`. */
export const openai: Wire = {
  // text-embeddings-inference takes no more than 32 texts by default.
  limits: { texts: 32, bytes: 1_048_576, concurrency: 4 },
  async embed(http: RuntimeHttp, model, texts, signal) {
    const body = { model, input: texts, encoding_format: 'float' }
    const response = embeddings.safeParse(await http.post('/v1/embeddings', body, signal))
    if (!response.success) throw new BadVector('The runtime returned no array of embeddings.')
    return unitVectors(inOrder(response.data.data, texts.length), texts.length)
  },
  async probe(http: RuntimeHttp, model): Promise<Probe> {
    const models = list.parse(await http.get('/v1/models')).data.map(({ id }) => id)
    const held = models.filter((id) => isNamed(id, model))
    return {
      models,
      embeddingModels: held.length > 0 ? held : models,
      hasModel: held.length > 0,
      digest: null,
    }
  },
}

/** Servers name models by tag, by path or by file: `text-embedding-nomic-embed-text-v1.5`, `/models/nomic….gguf`. */
const isNamed = (id: string, model: string): boolean =>
  id === model || id.toLowerCase().includes(model.replace(/:latest$/, '').toLowerCase())

/** Each place once: a list with a gap or with one index twice says nothing about whose vector is whose. */
function inOrder(data: readonly { index: number; embedding: unknown }[], count: number): unknown[] {
  const sorted: unknown[] = Array.from({ length: count })
  for (const { index, embedding } of data) {
    if (index < 0 || index >= count || sorted[index] !== undefined)
      throw new BadVector(`The runtime gave the index ${index} for ${count} texts twice or out of range.`)
    sorted[index] = embedding
  }
  if (data.length !== count)
    throw new BadVector(`The runtime gave ${data.length} vectors for ${count} texts.`)
  return sorted
}

/** A server with a single model often takes any name for it, and some have no list at all. */
export const openaiByDemand: Wire = {
  ...openai,
  async probe(http, model) {
    try {
      const found = await openai.probe(http, model)
      return { ...found, hasModel: found.hasModel || found.models.length <= 1 }
    } catch (error) {
      if (error instanceof RuntimeDown && error.status === 404)
        return { models: [model], embeddingModels: [model], hasModel: true, digest: null }
      throw error
    }
  },
}
