import { z } from 'zod'
import { invalid } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { modelPrices, price, priceBody, priceList, pricesBody } from '../contract.ts'
import type { Pricing } from './pricing.ts'

const tags = ['Prices']
const admin = { needs: 'admin', inGroup: true } as const
const read = { needs: 'read', inGroup: true } as const
const query = z.object({
  model: z.string().min(1).max(300).optional().meta({ description: 'Only prices of this model.' }),
  group_id: z.uuid().optional(),
})
/** Model IDs may hold slashes, so they are the rest of the path. */
const params = z.object({
  model_id: z
    .string()
    .min(1)
    .meta({
      description: 'The ID of the model. It may contain slashes, which are not escaped.',
      examples: ['gpt-6-sol'],
    }),
})

function modelIn(params: unknown): string {
  const model = (params as { '*': string })['*']
  if (model === '') throw invalid('Name a model: /api/v1/pricing/MODEL_ID.', 'model_id')
  return model
}

export function pricingRoutes(app: Http, pricing: Pricing): void {
  app.get(
    '/api/v1/pricing',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listPrices',
        summary: 'List prices in force',
        description: 'Custom and synchronized prices, and the built-in ones that were used.',
        querystring: query,
        response: { 200: priceList },
      },
    },
    async (request) => ({ data: await pricing.list(groupOf(request).id, request.query.model) }),
  )

  app.put(
    '/api/v1/pricing',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'setPrices',
        summary: 'Set custom prices of several models',
        description: 'Either all are set or none.',
        body: pricesBody,
        response: { 200: priceList },
      },
    },
    async (request) => ({
      data: await pricing.putMany(principalOf(request), groupOf(request), request.body),
    }),
  )

  app.get(
    '/api/v1/pricing/*',
    {
      config: { ...read, docs: { params } },
      schema: {
        tags,
        operationId: 'getModelPrice',
        summary: 'Get the price of a model',
        description: 'The price in force, and its history.',
        response: { 200: modelPrices },
      },
    },
    (request) => pricing.show(groupOf(request).id, modelIn(request.params)),
  )

  app.put(
    '/api/v1/pricing/*',
    {
      config: { ...admin, docs: { params } },
      schema: {
        tags,
        operationId: 'setModelPrice',
        summary: 'Set the custom price of a model',
        description: 'It applies from now on; earlier requests keep their cost.',
        body: priceBody,
        response: { 200: price },
      },
    },
    (request) => pricing.put(principalOf(request), groupOf(request), modelIn(request.params), request.body),
  )

  app.delete(
    '/api/v1/pricing/*',
    {
      config: { ...admin, docs: { params } },
      schema: {
        tags,
        operationId: 'endModelPrice',
        summary: 'End the custom price of a model',
        description: 'From now on the listed price applies.',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await pricing.end(principalOf(request), groupOf(request), modelIn(request.params))
      return reply.code(204).send(null)
    },
  )
}
