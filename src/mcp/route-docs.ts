import { z } from 'zod'
import type { Fault } from '#kernel/errors'
import type { RouteDocs } from '#kernel/http'

const id = z.union([z.string(), z.number()])
const version = z.literal('2.0')

const message = z.looseObject({
  jsonrpc: version,
  id: id.optional().meta({ description: 'Left out of a notification, which gets no response.' }),
  method: z.string(),
  params: z.looseObject({}).optional(),
})

const rpcError = z.looseObject({
  jsonrpc: version,
  id: id.nullish(),
  error: z.looseObject({ code: z.int(), message: z.string() }),
})

const rpcResult = z.looseObject({ jsonrpc: version, id, result: z.looseObject({}) })

export const routeDocs: RouteDocs = {
  errors: ['notFound', 'rateLimit'],
  body: {
    'application/json': { schema: message, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  },
  response: {
    200: {
      description: 'The response to a request.',
      content: {
        'application/json': {
          schema: z.union([rpcResult, rpcError]),
          example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
        },
      },
    },
    202: { description: 'A notification was received.' },
  },
  errorBody: {
    schema: rpcError,
    example: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'The message is not valid.' } },
  },
}

/** Errors before the protocol is reached, in its own form; `data` is the error of the rest of the API. */
export function faultBody(fault: Fault): object {
  const code = fault.status >= 500 ? -32_603 : -32_600
  return { jsonrpc: '2.0', id: null, error: { code, message: fault.message, data: fault.body().error } }
}
