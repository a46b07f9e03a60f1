import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import type { DefaultModelsOf } from './catalog/default-models.ts'
import { defaultModelBody, defaultModels, defaultUses } from './contract.ts'

const tags = ['Models']

export function defaultModelRoutes(app: Http, defaults: DefaultModelsOf): void {
  app.get(
    '/api/v1/default-models',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'getDefaultModels',
        summary: 'Get the default models',
        description:
          'The models of agents and stand-ups that have none of their own, and the newest capable model of each provider that the group has a key for.',
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: defaultModels },
      },
    },
    (request) => defaults.list(groupOf(request).id),
  )

  app.put(
    '/api/v1/default-models/:use',
    {
      config: { needs: 'admin', inGroup: true, docs: { errors: ['modelNotFound'] } },
      schema: {
        tags,
        operationId: 'setDefaultModel',
        summary: 'Set a default model',
        description: 'Counts from the next run or stand-up on. `null` chooses it automatically again.',
        params: z.object({
          use: z.enum(defaultUses).meta({ description: 'What uses it.', examples: ['agents'] }),
        }),
        body: defaultModelBody,
        response: { 200: defaultModels },
      },
    },
    (request) => defaults.set(groupOf(request).id, request.params.use, request.body.model),
  )
}
