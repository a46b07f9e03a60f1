import type { FastifyReply, FastifyRequest } from 'fastify'
import { groupOf, type Http } from '#kernel/http'
import {
  batchResponse,
  batchBody,
  embedResponse,
  embedBody,
  health,
  modelsResponse,
  statusResponse,
  type Task,
} from './contract.ts'
import { dimensions } from './embedder.ts'
import { namingField } from './naming-field.ts'
import { openaiRoute, type EmbeddingRouteDeps } from './openai-route.ts'
import { signalOf } from './signal-of.ts'
import { batchJson, numbersOf } from './vector-json.ts'

const tags = ['Embeddings']
const docs = { errors: ['modelNotAllowed', 'provider', 'providerTimeout'] } as const
const client = { needs: 'embeddings', inGroup: true, docs } as const

export function embeddingRoutes(app: Http, deps: EmbeddingRouteDeps): void {
  app.post(
    '/api/v1/embed',
    {
      config: client,
      onError: deps.calls.refused('/api/v1/embed'),
      schema: {
        tags,
        operationId: 'embedText',
        summary: 'Embed a text',
        description: 'Returns a vector of unit length.',
        body: embedBody,
        response: { 200: embedResponse },
      },
    },
    async (request, reply) => {
      const { text, task } = request.body
      const { embedder } = deps.service()
      const [vector = new Float32Array()] = await embedLogged(deps, request, reply, {
        texts: [text],
        task,
        field: () => 'text',
      })
      return { embedding: numbersOf(vector), model: embedder.model, dimensions }
    },
  )

  app.post(
    '/api/v1/embed/batch',
    {
      config: client,
      onError: deps.calls.refused('/api/v1/embed/batch'),
      schema: {
        tags,
        operationId: 'embedTexts',
        summary: 'Embed several texts',
        description: 'Up to 2,048 texts of up to 1 MiB. The vectors are in the order of the texts.',
        body: batchBody,
        response: { 200: batchResponse },
      },
    },
    async (request, reply) => {
      const { texts, task } = request.body
      const { embedder } = deps.service()
      const field = (index: number): string => `texts[${index}]`
      const vectors = await embedLogged(deps, request, reply, { texts, task, field })
      const rest = { model: embedder.model, dimensions, count: vectors.length }
      // Written piece by piece: 2,048 vectors are 20 MB of digits.
      return reply.type('application/json; charset=utf-8').send(batchJson(vectors, rest) as never)
    },
  )

  app.get(
    '/api/v1/models',
    {
      config: client,
      schema: {
        tags,
        operationId: 'listEmbeddingModels',
        summary: 'List embedding models',
        description: 'The model in use, and the models that the runtime has.',
        response: { 200: modelsResponse },
      },
    },
    async (request) => {
      groupOf(request)
      const { embedder, models } = deps.service()
      const found = await models()
      return {
        current_model: embedder.model,
        embedding_models: [...found.embeddingModels],
        all_models: [...found.models],
      }
    },
  )

  app.get(
    '/api/v1/embeddings/status',
    {
      config: client,
      schema: {
        tags,
        operationId: 'getEmbeddingsStatus',
        summary: 'Get the state of the embedding service',
        description: 'The model, its driver, the queue and the cache.',
        response: { 200: statusResponse },
      },
    },
    (request) => {
      groupOf(request)
      const { choice, state } = deps.service()
      const { model, driver, fingerprint } = choice
      return { model, driver, dimensions, fingerprint, ...state() }
    },
  )

  app.get(
    '/health',
    {
      config: { needs: 'anyone', open: 'Load balancers and supervisors have no credentials.' },
      schema: {
        tags,
        operationId: 'getEmbeddingsHealth',
        summary: 'Check that texts can be embedded',
        response: { 200: health, 503: health.describe('Texts cannot be embedded.') },
      },
    },
    async (_request, reply) => {
      const health = await deps.service().health()
      return reply.code(health.status === 'unhealthy' ? 503 : 200).send(health)
    },
  )

  openaiRoute(app, deps)
}

interface Wanted {
  texts: readonly string[]
  task: Task
  field(index: number): string
}

/** The vectors of a request that is in the log, with its tokens. */
function embedLogged(
  { calls, service }: EmbeddingRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { texts, task, field }: Wanted,
): Promise<Float32Array[]> {
  const { embedder, countTokens } = service()
  const call = { endpoint: request.routeOptions.url ?? '', model: embedder.model }
  return calls.own(request, call, async () => {
    const signal = signalOf(reply)
    const [result, tokens] = await Promise.all([
      namingField(field, () => embedder.embed(texts, task, { signal })),
      countTokens(texts, signal),
    ])
    return { result, tokens }
  })
}
