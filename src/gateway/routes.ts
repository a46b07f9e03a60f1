import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Fault, faults } from '#kernel/errors'
import type { Principal } from '#kernel/auth'
import { groupOf, prefersPage, principalOf, keepJson, type Http } from '#kernel/http'
import {
  customProvider,
  customProviderBody,
  customProviderChange,
  keyTest,
  model,
  modelList,
  syncResult,
  type KeyTest,
  type Model,
} from './contract.ts'
import type { ListedModel } from './catalog/models.ts'
import type { createCustomProviders } from './catalog/custom-providers.ts'
import { isModelAllowed } from './request/allowed-models.ts'
import type { createComplete } from './request/complete.ts'
import type { createRefusalLog } from './request/log-request.ts'
import { apis, chat, isMessagesClient } from './apis/index.ts'
import {
  messagesModel,
  messagesModelList,
  modelPage,
  pageOf,
  toMessagesModel,
  type MessagesModel,
} from './apis/messages/models.ts'
import { playgroundDocs, reference, syncDocs } from './reference/index.ts'

const tags = ['Gateway']
const modelTags = ['Models']
const providerTags = ['Providers']
const client = { needs: 'gateway', keyOnly: true } as const
/** Model names may hold slashes, so they are the rest of the path. */
const modelParams = z.object({
  model_id: z
    .string()
    .min(1)
    .meta({
      description: 'The ID of the model. It may contain slashes, which are not escaped.',
      examples: ['my-model'],
    }),
})
const admin = { needs: 'admin', inGroup: true } as const
/** Where requests and keys are sent is for owners alone. */
const owner = { ...admin, roles: ['owner'] } as const
const providerParams = z.object({
  provider_id: z.string().meta({ description: 'The ID of the provider.', examples: ['my-provider'] }),
})

export interface GatewayRouteDeps {
  complete: ReturnType<typeof createComplete>
  refused: ReturnType<typeof createRefusalLog>
  models(groupId: string): Promise<ListedModel[]>
  sync(groupId: string, word: string): Promise<z.infer<typeof syncResult>>
  testKey(principal: Principal, keyId: string): Promise<KeyTest>
  custom: ReturnType<typeof createCustomProviders>
}

export function gatewayRoutes(app: Http, deps: GatewayRouteDeps): void {
  const allowed = async (request: FastifyRequest): Promise<ListedModel[]> => {
    const models = await deps.models(groupOf(request).id)
    return models.filter(({ model: { id } }) => isModelAllowed(principalOf(request), id))
  }
  const listModels = async (request: FastifyRequest): Promise<Model[]> =>
    (await allowed(request)).map(toModel)
  const messagesModels = async (request: FastifyRequest): Promise<MessagesModel[]> =>
    (await allowed(request)).map(({ model: info }) => toMessagesModel(info))

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', keepJson)
    for (const api of apis) {
      const { path, faultBody, faultStatus, idHeader } = api
      const { docs, ...described } = reference[path] ?? {}
      const config = { ...client, forRuns: true, faultBody, faultStatus, idHeader, ...(docs && { docs }) }
      const onError = deps.refused(path)
      scope.post(path, { config, onError, schema: { tags, ...described } }, deps.complete(api))
    }
    scope.post(
      '/api/v1/gateway/playground',
      {
        config: { needs: 'gateway', inGroup: true, docs: playgroundDocs },
        onError: deps.refused(chat.path),
        schema: {
          tags,
          operationId: 'createPlaygroundCompletion',
          summary: 'Create a chat completion in the playground',
          description: 'The same as `/v1/chat/completions`, for people: a session is enough.',
        },
      },
      deps.complete(chat),
    )
  })

  app.get(
    '/v1/models',
    {
      config: { ...client, docs: { errors: ['notFound'] } },
      schema: {
        tags: modelTags,
        operationId: 'listModels',
        summary: 'List models',
        description:
          'The models of every provider that the group has a usable key for, without those that the API key may not name. For clients of the ' +
          'Messages API in its format, which has pages: `limit`, `after_id` and `before_id`.',
        querystring: modelPage,
        response: { 200: z.union([modelList, messagesModelList]) },
      },
    },
    async (request, reply) => {
      if (!isMessagesClient(request.headers))
        return { object: 'list' as const, data: await listModels(request) }
      void reply.header('request-id', request.id)
      return pageOf(await messagesModels(request), request.query)
    },
  )

  // Model names may hold slashes.
  app.get(
    '/v1/models/*',
    {
      config: { ...client, docs: { params: modelParams, errors: ['modelNotFound'] } },
      schema: {
        tags: modelTags,
        operationId: 'getModel',
        summary: 'Get a model',
        response: { 200: z.union([model, messagesModel]) },
      },
    },
    async (request, reply) => {
      const wanted = (request.params as { '*': string })['*']
      const isMessages = isMessagesClient(request.headers)
      if (isMessages) void reply.header('request-id', request.id)
      const models: (Model | MessagesModel)[] = await (isMessages ? messagesModels : listModels)(request)
      const found = models.find(({ id }) => id === wanted)
      if (!found)
        throw new Fault(faults.modelNotFound, `The model "${wanted.slice(0, 100)}" was not found.`, {
          param: 'model',
        })
      return found
    },
  )

  app.get(
    '/api/v1/gateway/models',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: modelTags,
        operationId: 'listModelsForPeople',
        summary: 'List models, for people',
        description: 'The same as `/v1/models`, for people: a session is enough.',
        response: { 200: modelList },
      },
    },
    async (request) => ({
      object: 'list' as const,
      data: await listModels(request),
    }),
  )

  app.post(
    '/providers/:provider_id/models/sync',
    {
      config: { ...admin, docs: syncDocs },
      schema: {
        tags: modelTags,
        operationId: 'syncModels',
        summary: "Synchronize a provider's models",
        description:
          'Fetches the models of a provider with their prices and capabilities. A list without models returns 502 and leaves the stored ones unchanged.',
        params: providerParams,
        response: { 200: syncResult },
      },
    },
    async (request, reply) => {
      const result = await deps.sync(groupOf(request).id, request.params.provider_id)
      return prefersPage(request.headers) ? reply.redirect('/providers', 303) : result
    },
  )

  app.post(
    '/providers/key/:key_id/test',
    {
      config: { needs: 'admin', docs: { noBody: true } },
      schema: {
        tags: providerTags,
        operationId: 'testProviderKey',
        summary: 'Test a key',
        description: 'Makes a call to the provider that needs the key and costs nothing.',
        params: z.object({ key_id: z.uuid().meta({ description: 'The ID of the provider key.' }) }),
        response: { 200: keyTest },
      },
    },
    (request) => deps.testKey(principalOf(request), request.params.key_id),
  )

  app.post(
    '/providers',
    {
      config: { ...owner, docs: { errors: ['conflict'] } },
      schema: {
        tags: providerTags,
        operationId: 'createProvider',
        summary: 'Add a custom provider',
        description: 'Any server that has the Chat Completions API.',
        body: customProviderBody,
        response: { 201: customProvider },
      },
    },
    async (request, reply) => reply.code(201).send(await deps.custom.add(groupOf(request), request.body)),
  )

  app.patch(
    '/providers/:provider_id',
    {
      config: { ...owner, docs: { errors: ['conflict'] } },
      schema: {
        tags: providerTags,
        operationId: 'updateProvider',
        summary: 'Update a provider',
        description:
          'Fields that are not sent keep their values. Of a built-in provider only `is_active` can be changed; a provider that is turned off gets no requests of the group.',
        params: providerParams,
        body: customProviderChange,
        response: { 200: customProvider },
      },
    },
    (request) => deps.custom.change(groupOf(request), request.params.provider_id, request.body),
  )

  app.delete(
    '/providers/:provider_id',
    {
      config: owner,
      schema: {
        tags: providerTags,
        operationId: 'deleteProvider',
        summary: 'Delete a custom provider',
        params: providerParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deps.custom.remove(groupOf(request), request.params.provider_id)
      return reply.code(204).send(null)
    },
  )
}

function toModel({ provider, model: info, audioSecondPrice }: ListedModel): Model {
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
    audio_price_per_second: audioSecondPrice,
    capabilities: [...info.capabilities],
  }
}
