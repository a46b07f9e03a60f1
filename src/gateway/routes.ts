import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, type Http } from '#kernel/http'
import {
  customProvider,
  customProviderBody,
  customProviderChange,
  model,
  modelList,
  syncResult,
  type Model,
} from './contract.ts'
import type { ModelInfo } from './providers/index.ts'
import type { createCustomProviders } from './catalog/custom-providers.ts'
import type { createComplete } from './request/complete.ts'
import { chat, dialects } from './apis/index.ts'

const tags = ['Gateway']
const client = { needs: 'gateway', keyOnly: true } as const

export interface GatewayRouteDeps {
  complete: ReturnType<typeof createComplete>
  models(groupId: string): Promise<{ provider: string; model: ModelInfo }[]>
  sync(groupId: string, word: string): Promise<z.infer<typeof syncResult>>
  custom: ReturnType<typeof createCustomProviders>
}

export function gatewayRoutes(app: Http, deps: GatewayRouteDeps): void {
  const listModels = async (groupId: string): Promise<Model[]> => (await deps.models(groupId)).map(toModel)

  // The bytes as they came: same-wire providers get them unchanged.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    for (const dialect of dialects) {
      const { faultBody, idHeader } = dialect
      const config = { ...client, faultBody, idHeader }
      scope.post(dialect.path, { config, schema: { tags, summary: dialect.summary } }, deps.complete(dialect))
    }
    scope.post(
      '/api/v1/gateway/playground',
      { config: { needs: 'gateway' }, schema: { tags, summary: 'The same for people, from the dashboard' } },
      deps.complete(chat),
    )
  })

  app.get(
    '/v1/models',
    { config: client, schema: { tags, summary: 'The models you can use', response: { 200: modelList } } },
    async (request) => ({
      object: 'list' as const,
      data: await listModels(groupOf(request).id),
    }),
  )

  // Model names may hold slashes.
  app.get(
    '/v1/models/*',
    { config: client, schema: { tags, summary: 'One model', response: { 200: model } } },
    async (request) => {
      const wanted = (request.params as { '*': string })['*']
      const found = (await listModels(groupOf(request).id)).find(({ id }) => id === wanted)
      if (!found) throw notFound(`The model "${wanted.slice(0, 100)}"`)
      return found
    },
  )

  app.get(
    '/api/v1/gateway/models',
    {
      config: { needs: 'read' },
      schema: { tags, summary: 'The models, for people', response: { 200: modelList } },
    },
    async (request) => ({
      object: 'list' as const,
      data: await listModels(groupOf(request).id),
    }),
  )

  app.post(
    '/providers/:provider_id/models/sync',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        summary: "Fetch a provider's models with prices and capabilities",
        params: z.object({ provider_id: z.string() }),
        response: { 200: syncResult },
      },
    },
    (request) => deps.sync(groupOf(request).id, request.params.provider_id),
  )

  app.post(
    '/providers',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        summary: 'Add a provider that speaks chat completions',
        body: customProviderBody,
        response: { 201: customProvider },
      },
    },
    async (request, reply) => reply.code(201).send(await deps.custom.add(groupOf(request), request.body)),
  )

  app.patch(
    '/providers/:provider_id',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        summary: 'Change a provider that was added',
        params: z.object({ provider_id: z.string() }),
        body: customProviderChange.strict(),
        response: { 200: customProvider },
      },
    },
    (request) => deps.custom.change(groupOf(request), request.params.provider_id, request.body),
  )

  app.delete(
    '/providers/:provider_id',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        summary: 'Remove a provider that was added',
        params: z.object({ provider_id: z.string() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deps.custom.remove(groupOf(request), request.params.provider_id)
      return reply.code(204).send(null)
    },
  )
}

function toModel({ provider, model: info }: { provider: string; model: ModelInfo }): Model {
  return {
    id: info.id,
    object: 'model',
    created: info.created ?? 0,
    owned_by: provider,
    name: info.name,
    context_length: info.contextLength,
    max_output_tokens: info.maxOutput,
    input_price_per_1m: info.inputPrice,
    output_price_per_1m: info.outputPrice,
    capabilities: [...info.capabilities],
  }
}
