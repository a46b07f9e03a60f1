import { invalidField } from '#kernel/errors'
import { readEmbeddings, textsOf, writeEmbeddings } from '../../passthrough/embeddings.ts'
import type { EmbeddingExchange, EmbeddingModels, EmbeddingRequest } from '../../provider.ts'
import { noUsage } from '../../wire/chunk-writer.ts'
import { arrayOf, bufferOf, isAbsent, objectOf, statedCount, type JsonObject } from '../../wire/json.ts'

const name = 'Gemini'
const translated = ['model', 'input', 'dimensions', 'encoding_format']

/** More are refused. */
const textsPerCall = 100

/** Embeddings over batchEmbedContents. */
export const embeddings: EmbeddingModels = { prefixes: ['gemini-embedding-'], exchange }

function exchange(request: EmbeddingRequest): EmbeddingExchange {
  const { model, body } = request
  const { dimensions } = body
  const requests = textsOf(body).map((text, index) => {
    if (typeof text !== 'string')
      throw invalidField(`input[${index}]`, `must be a string: ${name} takes no tokens`)
    return {
      model: `models/${model}`,
      content: { parts: [{ text }] },
      ...(isAbsent(dimensions) ? {} : { outputDimensionality: dimensions }),
    }
  })
  return {
    path: `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`,
    bodies: batchesOf(requests).map((batch) => JSON.stringify({ requests: batch })),
    dropped: Object.keys(body).filter((field) => !translated.includes(field)),
    response(received) {
      const responses = received.map((bytes) => readEmbeddings(name, bufferOf(bytes), 'embeddings'))
      const vectors = responses
        .flatMap((response) => arrayOf(response['embeddings']))
        .map((each) => arrayOf(objectOf(each)['values']) as number[])
      const tokens = sumOf(responses.map(tokensOf))
      return {
        body: writeEmbeddings(request, vectors, tokens ?? 0),
        usage: tokens === undefined ? null : { ...noUsage, uncached: tokens },
      }
    },
  }
}

function batchesOf<T>(requests: readonly T[]): T[][] {
  const count = Math.max(1, Math.ceil(requests.length / textsPerCall))
  return Array.from({ length: count }, (_, index) =>
    requests.slice(index * textsPerCall, (index + 1) * textsPerCall),
  )
}

const tokensOf = (response: JsonObject): number | undefined =>
  statedCount(objectOf(response['usageMetadata'])['promptTokenCount'])

/** Undefined where one of them is. */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  )
}
