import { invalidField } from '#kernel/errors'
import { readEmbeddings, textsOf, writeEmbeddings } from '../../passthrough/embeddings.ts'
import type { EmbeddingExchange, EmbeddingModels, EmbeddingRequest } from '../../provider.ts'
import { noUsage } from '../../wire/chunk-writer.ts'
import { arrayOf, bufferOf, isAbsent, objectOf, statedCount } from '../../wire/json.ts'

const name = 'Gemini'
const translated = ['model', 'input', 'dimensions', 'encoding_format']

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
    body: JSON.stringify({ requests }),
    dropped: Object.keys(body).filter((field) => !translated.includes(field)),
    response(bytes) {
      const response = readEmbeddings(name, bufferOf(bytes), 'embeddings')
      const vectors = arrayOf(response['embeddings']).map(
        (each) => arrayOf(objectOf(each)['values']) as number[],
      )
      const tokens = statedCount(objectOf(response['usageMetadata'])['promptTokenCount'])
      return {
        body: writeEmbeddings(request, vectors, tokens ?? 0),
        usage: tokens === undefined ? null : { ...noUsage, uncached: tokens },
      }
    },
  }
}
