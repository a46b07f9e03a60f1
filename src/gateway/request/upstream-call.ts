import type { Fault } from '#kernel/errors'
import { maskFor, type Secret } from '#kernel/log'
import type { Route } from '../catalog/registry.ts'
import type { ChatExchange } from '../provider.ts'
import { redirectFault } from '../transport/faults.ts'
import type { WholeResponse } from '../transport/receive.ts'
import type { UpstreamCall } from '../transport/upstream.ts'
import type { Answering } from './client.ts'

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

/** A client that sends thousands of unknown fields must not get a header that nothing between us and it accepts. */
const maxNames = 40

/** Names in a header what the provider was not sent. */
export function nameDropped(reply: Pick<Answering, 'header'>, names: readonly string[]): void {
  if (names.length === 0) return
  const listed = names.slice(0, maxNames).join(', ')
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : ''
  void reply.header('x-signalbox-dropped', listed + more)
}
