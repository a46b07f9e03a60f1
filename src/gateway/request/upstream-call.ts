import type { Fault } from '#kernel/errors'
import { maskFor, type Secret } from '#kernel/log'
import type { Route } from '../catalog/registry.ts'
import type { ChatExchange } from '../provider.ts'
import { redirectFault } from '../transport/faults.ts'
import type { WholeResponse } from '../transport/receive.ts'
import type { UpstreamCall } from '../transport/upstream.ts'

/** The fault of a response that is not a success. */
export function refusal({ status, headers, body }: WholeResponse, { provider }: Route): Fault {
  return redirectFault(status) ?? provider.fault({ status, headers, body: body.toString() })
}

export function toCall(
  route: Route,
  exchange: Pick<ChatExchange, 'path' | 'query' | 'headers'>,
  body: string | Uint8Array,
  key: Secret,
): UpstreamCall {
  const credentials = route.provider.credentials(key.reveal())
  return {
    baseUrl: route.baseUrl,
    path: exchange.path,
    query: { ...exchange.query, ...credentials.query },
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'signalbox',
      ...credentials.headers,
      // Last: a client may ask for another version of the provider's API.
      ...exchange.headers,
    },
    body,
    allowPrivate: route.allowPrivate,
    mask: maskFor(key),
  }
}
