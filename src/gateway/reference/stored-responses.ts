import { z } from 'zod'
import type { RouteDocs } from '#kernel/http'
import { response, responseEvent, responseItem } from './responses.ts'
import { errorBody, passedErrors, providerErrors } from './streams.ts'

const params = z.object({
  response_id: z.string().meta({ description: 'The ID of the response.', examples: ['resp_B7x2'] }),
})
const include = z
  .array(z.string())
  .optional()
  .meta({ description: 'Further fields to return, as in OpenAI’s API.' })
const errors = [...providerErrors, 'notFound'] as const satisfies RouteDocs['errors']
const owner =
  'Only for responses of OpenAI models that were not created with `"store": false`, and only for the API key that created them. Free of charge.'

function docsOf(whole: z.ZodType, more: RouteDocs = {}): RouteDocs {
  return {
    params,
    errors: [...errors],
    response: {
      200: { description: 'As OpenAI returns it.', content: { 'application/json': { schema: whole } } },
      ...passedErrors(errorBody),
    },
    ...more,
  }
}

const deleted = z
  .looseObject({ id: z.string(), object: z.string(), deleted: z.literal(true) })
  .meta({ examples: [{ id: 'resp_B7x2', object: 'response', deleted: true }] })
const items = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(responseItem),
    first_id: z.string().nullish(),
    last_id: z.string().nullish(),
    has_more: z.boolean(),
  })
  .meta({
    examples: [
      {
        object: 'list',
        data: [{ id: 'msg_1', type: 'message', role: 'user', content: 'Say hello.' }],
        first_id: 'msg_1',
        last_id: 'msg_1',
        has_more: false,
      },
    ],
  })

/** How the API document describes the routes of stored responses. */
export const storedReference = [
  {
    method: 'GET',
    suffix: '',
    operationId: 'getResponse',
    summary: 'Get a stored response',
    description: owner,
    docs: docsOf(response, {
      querystring: z.looseObject({
        'include[]': include,
        stream: z
          .enum(['true', 'false'])
          .optional()
          .meta({ description: '`true`: as events, where OpenAI has them.' }),
        starting_after: z.string().optional().meta({ description: 'The number of the last event received.' }),
      }),
      response: {
        200: {
          description: 'The response, or its events with `stream=true`.',
          content: { 'application/json': { schema: response }, 'text/event-stream': responseEvent },
        },
        ...passedErrors(errorBody),
      },
    }),
  },
  {
    method: 'DELETE',
    suffix: '',
    operationId: 'deleteResponse',
    summary: 'Delete a stored response',
    description: owner,
    docs: docsOf(deleted),
  },
  {
    method: 'GET',
    suffix: '/input_items',
    operationId: 'listInputItems',
    summary: 'List the input of a stored response',
    description: owner,
    docs: docsOf(items, {
      querystring: z.looseObject({
        'include[]': include,
        after: z.string().optional().meta({ description: 'The ID of the item before the page.' }),
        limit: z.string().optional().meta({ description: 'Items per page, 1 to 100.' }),
        order: z.string().optional().meta({ description: '`asc` or `desc`.' }),
      }),
    }),
  },
  {
    method: 'POST',
    suffix: '/cancel',
    operationId: 'cancelResponse',
    summary: 'Cancel a response',
    description: `OpenAI cancels only responses that run in the background, which Signalbox does not create: it returns 400 for others. ${owner}`,
    docs: docsOf(response, { noBody: true }),
  },
] as const
