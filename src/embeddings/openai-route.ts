import type { EmbeddingCalls } from '#gateway'
import { invalid, invalidField } from '#kernel/errors'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Http } from '#kernel/http'
import { maxTexts, openaiResponse, openaiBody } from './contract.ts'
import type { DecodeTokens } from './decode-tokens.ts'
import { dimensions } from './embedder.ts'
import { namingField } from './naming-field.ts'
import type { Service } from './service.ts'
import { signalOf } from './signal-of.ts'
import { numbersOf } from './vector-json.ts'

export interface EmbeddingRouteDeps {
  service(): Service
  calls: EmbeddingCalls
  decodeTokens: DecodeTokens
  /** The name in the settings: OpenAI clients may ask for it whatever makes the vectors. */
  embeddingModel: string
}

type Body = z.infer<typeof openaiBody>

const path = '/v1/embeddings'

/** The same for OpenAI clients, which request base64 by default. */
export function openaiRoute(app: Http, deps: EmbeddingRouteDeps): void {
  app.post(
    path,
    {
      config: {
        needs: 'embeddings',
        keyOnly: true,
        docs: { errors: ['modelNotFound', 'modelNotAllowed', 'rateLimit', 'provider', 'providerTimeout'] },
      },
      onError: deps.calls.refused(path),
      schema: {
        tags: ['Embeddings'],
        operationId: 'createEmbeddings',
        summary: 'Create embeddings',
        description:
          "The same in the format of OpenAI's clients. Embedding models of the providers pass through, with a key of the group.",
        body: openaiBody,
        response: { 200: openaiResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      const { model = '', user } = body
      const { embedder } = deps.service()
      if (isProviderModel(model, [embedder.model, deps.embeddingModel]))
        return deps.calls.send(request, reply, {
          endpoint: path,
          model,
          body,
          userLabel: user,
          promptText: () => [body.input].flat().join('\n'),
        })
      const call = { endpoint: path, model: embedder.model, userLabel: user }
      const response = await deps.calls.own(request, call, () => embedHere(deps, body, reply))
      // Our own numbers need no second look, which would cost more than making them.
      return reply
        .type('application/json; charset=utf-8')
        .serializer((value: unknown) => JSON.stringify(value))
        .send(response)
    },
  )
}

async function embedHere(deps: EmbeddingRouteDeps, body: Body, reply: FastifyReply) {
  const { input, encoding_format: encoding = 'float', dimensions: wanted } = body
  if (!['float', 'base64'].includes(encoding))
    throw invalidField('encoding_format', 'must be float or base64')
  if (wanted !== undefined && wanted !== dimensions)
    throw invalid(`The vectors have ${dimensions} dimensions, and no others can be requested.`, 'dimensions')
  const { embedder, countTokens } = deps.service()
  const signal = signalOf(reply)
  const texts = await textsIn(input, deps.decodeTokens)
  const [vectors, tokens] = await Promise.all([
    namingField(
      (index) => (Array.isArray(input) ? `input[${index}]` : 'input'),
      () => embedder.embed(texts, 'search_document', { signal }),
    ),
    countTokens(texts, signal),
  ])
  const result = {
    object: 'list' as const,
    data: vectors.map((vector, index) => ({
      object: 'embedding' as const,
      index,
      embedding: encoding === 'base64' ? base64Of(vector) : numbersOf(vector),
    })),
    model: embedder.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
  return { result, tokens }
}

function isProviderModel(requested: string, own: readonly string[]): boolean {
  const plain = (name: string): string => name.replace(/:latest$/, '')
  return requested !== '' && !own.some((name) => plain(name) === plain(requested))
}

/** Texts, or what the client's tokenizer made of them. */
async function textsIn(input: Body['input'], decodeTokens: DecodeTokens): Promise<string[]> {
  if (typeof input === 'string') return [input]
  if (input.length === 0) throw invalid('"input" is empty: give at least one text.', 'input')
  if (typeof input[0] === 'number') return decodeTokens([input], () => 'input')
  if (input.length > maxTexts) throw invalid(`"input" has over ${maxTexts} texts.`, 'input')
  const isText = (each: unknown): each is string => typeof each === 'string'
  if (input.every(isText)) return input
  return decodeTokens(input, (index) => `input[${index}]`)
}

const base64Of = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
