import { passEmbeddings, readEmbeddings, writeEmbeddings } from '../../passthrough/embeddings.ts'
import type { EmbeddingExchange, EmbeddingModels, EmbeddingRequest, FixedPrice } from '../../provider.ts'
import { arrayOf, objectOf, stringOf } from '../../wire/json.ts'

const name = 'Perplexity'
/** What OpenAI's clients ask for; Perplexity has formats of its own, which a client may name. */
const openaiFormats = [undefined, null, 'float', 'base64']

/** The models for parts of a document have a path and a format of their own. */
export const embeddings: EmbeddingModels = { prefixes: ['pplx-embed-v1'], exchange }

const inputPrices: Readonly<Record<string, string>> = {
  'pplx-embed-v1-0.6b': '0.004',
  'pplx-embed-v1-4b': '0.03',
}

export function embeddingPrice(model: string): FixedPrice | null {
  const inputPrice = Object.hasOwn(inputPrices, model) ? inputPrices[model] : undefined
  return inputPrice === undefined
    ? null
    : { inputPrice, outputPrice: '0', cacheReadPrice: inputPrice, unitPrices: {} }
}

function exchange(request: EmbeddingRequest): EmbeddingExchange {
  const { model, body } = request
  const isTranslated = openaiFormats.includes(body['encoding_format'] as string)
  const asked = isTranslated ? { ...request, body: { ...body, encoding_format: 'base64_int8' } } : request
  const passed = passEmbeddings(asked, { name, model, path: '/v1/embeddings' })
  if (!isTranslated) return passed
  return {
    ...passed,
    response(received) {
      const { usage } = passed.response(received)
      const response = readEmbeddings(name, Buffer.concat(received))
      const vectors = arrayOf(response['data']).map((each) =>
        signedBytes(stringOf(objectOf(each)['embedding'])),
      )
      return { body: writeEmbeddings(request, vectors, usage?.uncached ?? 0), usage }
    },
  }
}

const signedBytes = (base64: string): number[] => [...new Int8Array(Buffer.from(base64, 'base64'))]
