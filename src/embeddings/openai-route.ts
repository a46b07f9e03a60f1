import { Fault, faults, invalid } from '#kernel/errors'
import { groupOf, type Http } from '#kernel/http'
import { maxTexts, openaiResponse, openaiBody } from './contract.ts'
import { dimensions } from './embedder.ts'
import { namingField } from './naming-field.ts'
import type { Service } from './service.ts'
import { signalOf } from './signal-of.ts'
import { numbersOf } from './vector-json.ts'

export interface EmbeddingRouteDeps {
  service(): Service
  /** The name in the settings: OpenAI clients may ask for it whatever makes the vectors. */
  embeddingModel: string
}

/** The same for OpenAI clients, which request base64 by default. */
export function openaiRoute(app: Http, deps: EmbeddingRouteDeps): void {
  app.post(
    '/v1/embeddings',
    {
      config: {
        needs: 'embeddings',
        keyOnly: true,
        docs: { errors: ['modelNotFound', 'provider', 'providerTimeout'] },
      },
      schema: {
        tags: ['Embeddings'],
        operationId: 'createEmbeddings',
        summary: 'Create embeddings',
        description: "The same in the format of OpenAI's clients.",
        body: openaiBody,
        response: { 200: openaiResponse },
      },
    },
    async (request, reply) => {
      groupOf(request)
      const { input, model, encoding_format: encoding, dimensions: wanted } = request.body
      const { embedder, countTokens } = deps.service()
      checkModel(model, [embedder.model, deps.embeddingModel])
      if (wanted !== undefined && wanted !== dimensions)
        throw invalid(
          `The vectors have ${dimensions} dimensions, and no others can be requested for.`,
          'dimensions',
        )
      const texts = textsIn(input)
      const options = { signal: signalOf(reply) }
      const vectors = await namingField(
        (index) => (Array.isArray(input) ? `input[${index}]` : 'input'),
        () => embedder.embed(texts, 'search_document', options),
      )
      const tokens = await countTokens(texts, options.signal)
      const response = {
        object: 'list' as const,
        data: vectors.map((vector, index) => ({
          object: 'embedding' as const,
          index,
          embedding: encoding === 'base64' ? base64Of(vector) : numbersOf(vector),
        })),
        model: embedder.model,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      }
      // Our own numbers need no second look, which would cost more than making them.
      return reply
        .type('application/json; charset=utf-8')
        .serializer((value: unknown) => JSON.stringify(value))
        .send(response)
    },
  )
}

function checkModel(requested: string | undefined, known: readonly string[]): void {
  if (requested === undefined) return
  const plain = (name: string): string => name.replace(/:latest$/, '')
  if (known.some((name) => plain(name) === plain(requested))) return
  throw new Fault(
    faults.modelNotFound,
    `The embedding model here is "${known[0]}", not "${requested.slice(0, 100)}".`,
    {
      param: 'model',
    },
  )
}

function textsIn(input: string | unknown[]): string[] {
  if (typeof input === 'string') return [input]
  if (input.length === 0) throw invalid('"input" is empty: give at least one text.', 'input')
  if (input.length > maxTexts) throw invalid(`"input" has over ${maxTexts} texts.`, 'input')
  return input.map((text, index) => {
    if (typeof text === 'string') return text
    throw invalid(
      `"input[${index}]" is not a text. Lists of token numbers are not taken, since they fit only one tokenizer: send texts.`,
      `input[${index}]`,
    )
  })
}

const base64Of = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
