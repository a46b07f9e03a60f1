import { z } from 'zod'
import { invalid } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { modelPrices, price, priceBody, priceList, pricesBody } from '../contract.ts'
import type { Pricing } from './pricing.ts'

const tags = ['Usage']
const admin = { needs: 'admin' } as const
const read = { needs: 'read' } as const
const query = z.object({ model: z.string().min(1).max(300).optional(), group_id: z.uuid().optional() })

/** Ids of models may hold slashes, so they are the rest of the address. */
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
        summary: 'The prices in force: your own, synchronised, and the built-in ones that were used',
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
        summary: 'Set own prices for many models at once: all or none',
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
      config: read,
      schema: { tags, summary: 'The price of a model, and its history', response: { 200: modelPrices } },
    },
    (request) => pricing.show(groupOf(request).id, modelIn(request.params)),
  )

  app.put(
    '/api/v1/pricing/*',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Set an own price for a model, from now on; requests before keep theirs',
        body: priceBody,
        response: { 200: price },
      },
    },
    (request) => pricing.put(principalOf(request), groupOf(request), modelIn(request.params), request.body),
  )

  app.delete(
    '/api/v1/pricing/*',
    {
      config: admin,
      schema: { tags, summary: 'End an own price: the listed one counts again', response: { 204: z.null() } },
    },
    async (request, reply) => {
      await pricing.end(principalOf(request), groupOf(request), modelIn(request.params))
      return reply.code(204).send(null)
    },
  )
}
