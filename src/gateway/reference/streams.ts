import { z } from 'zod'
import type { MediaDocs, RouteDocs } from '#kernel/http'

/** Described only: the gateway's routes read requests themselves and pass responses through. */

export const modelName = z
  .string()
  .min(1)
  .max(300)
  .meta({
    description:
      'The model, or a route of the group. Its prefix selects the provider. May be left out where the group has a route named `default`.',
    examples: ['gpt-6-sol'],
  })
export const tokens = z.int().meta({ minimum: 0, examples: [12] })

/** The errors of every route that calls a provider, besides those of all routes. */
export const providerErrors = [
  'noProviderKey',
  'modelNotFound',
  'modelNotAllowed',
  'policyViolation',
  'rateLimit',
  'limitExceeded',
  'budgetExceeded',
  'provider',
  'providerTimeout',
] as const satisfies RouteDocs['errors']

/** Errors of the provider keep their status where it means the same to the client. */
export function passedErrors(body: MediaDocs): NonNullable<RouteDocs['response']> {
  const content = { 'application/json': body }
  return {
    '4XX': { description: 'The provider refused the request; the status is its own.', content },
    '5XX': { description: 'The provider failed; the status is its own.', content },
  }
}

/** A response as a whole, or event by event. */
export function wholeOrStreamed(whole: z.ZodType, event: MediaDocs): NonNullable<RouteDocs['response']> {
  return {
    200: {
      description:
        'The response. With `"stream": true` it is a stream of server-sent events; the schema describes the data of each.',
      content: { 'application/json': { schema: whole }, 'text/event-stream': event },
    },
  }
}

export const errorBody: MediaDocs = {
  schema: z.object({
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  }),
  example: {
    error: {
      message: 'The provider is overloaded. Try again later.',
      type: 'provider_error',
      param: null,
      code: 'provider_error',
    },
  },
}
