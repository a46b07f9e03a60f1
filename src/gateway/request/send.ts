import { Fault } from '#kernel/errors'
import { maskFor, type Secret } from '#kernel/log'
import type { Api, ClientRequest } from '../api.ts'
import type { Route } from '../catalog/registry.ts'
import type { ChatExchange, ChatResponse, Usage } from '../provider.ts'
import { damaged, redirectFault } from '../transport/faults.ts'
import type { KeepAlive } from '../transport/keep-alive.ts'
import {
  providerHeaders,
  receiveWhole,
  upstreamIdHeader,
  upstreamIdOf,
  type ClientConnection,
  type TimeLimit,
  type WholeResponse,
} from '../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../transport/upstream.ts'
import { writtenText } from '../wire/written-text.ts'
import type { Answering } from './client.ts'
import type { Outcome } from './meter.ts'
import { beginStream, relay } from './relay.ts'

export interface SendDeps {
  upstream: Upstream
  keepAlive: KeepAlive
}

/** One call to a provider, ready to be made. */
export interface PreparedCall {
  readonly api: Api
  readonly asked: ClientRequest
  readonly route: Route
  readonly exchange: ChatExchange
  readonly call: UpstreamCall
  readonly client: ClientConnection
  readonly outcome: Outcome
  readonly requestId: string
  /** Limits that the call has; undefined for most. */
  readonly time?: TimeLimit | undefined
  readonly firstByte?: TimeLimit | undefined
  /** Another call may follow when this one fails. */
  readonly isReplaceable: boolean
  /** For the response, whatever the provider's own say. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Remembers who made a response that the provider keeps. */
  noteStored(id: string | undefined): void
  /** Of the provider's response, as soon as it is there. */
  status: number | null
  /** What a call that failed reported nevertheless. */
  usage: Usage | null
}

/**
 * Makes the call and sends its response. Rejects with a Fault when nothing has reached the client; resolves with the
 * one that broke off a stream.
 */
export function send(deps: SendDeps, prepared: PreparedCall, reply: Answering): Promise<Fault | null> {
  return prepared.asked.isStream ? sendStream(deps, prepared, reply) : sendWhole(deps, prepared, reply)
}

async function sendWhole({ upstream }: SendDeps, prepared: PreparedCall, reply: Answering): Promise<null> {
  const { api, asked, exchange, route, call, client, outcome } = prepared
  const response = await receiveWhole(upstream, call, client, prepared.time)
  prepared.status = response.status
  await nextLoopTurn()
  const headers = providerHeaders(response.headers, call.mask)
  outcome.upstreamRequestId = headers[upstreamIdHeader] ?? null
  if (response.status < 200 || response.status >= 300) throw refusal(response, route)
  outcome.isUnread = true
  const { body, usage, storedId } = readResponse(exchange, response.body)
  prepared.noteStored(storedId)
  outcome.isUnread = false
  outcome.usage = usage
  if (!usage) outcome.estimateFrom = { prompt: api.promptText(asked), delivered: writtenText(response.body) }
  void reply.code(200).headers(headers)
  if (prepared.headers) void reply.headers(prepared.headers)
  void reply.type('application/json; charset=utf-8').send(body)
  return null
}

async function sendStream(
  { upstream, keepAlive }: SendDeps,
  prepared: PreparedCall,
  reply: Answering,
): Promise<Fault | null> {
  const { api, asked, exchange, route, call, client, outcome, requestId } = prepared
  const reader = exchange.stream()
  const job = {
    call,
    client,
    reader,
    keepAlive,
    response: reply.raw,
    time: prepared.time,
    firstByte: prepared.firstByte,
    isReplaceable: prepared.isReplaceable,
    isStream: () => true,
    received(headers: Headers, status: number) {
      prepared.status = status
      outcome.upstreamRequestId = upstreamIdOf(headers, call.mask)
    },
    begin: (_contentType: string, headers: Headers) =>
      beginStream(reply, 'text/event-stream; charset=utf-8', {
        ...providerHeaders(headers, call.mask),
        ...prepared.headers,
      }),
    faultEvent: (fault: Fault) => api.faultEvent(fault, requestId, reader.nextNumber),
  }
  const end = await relay(upstream, job).catch((error: unknown) => {
    prepared.usage = reader.usage
    throw error
  })
  if (end.kind === 'whole') throw refusal(end, route)
  prepared.noteStored(reader.storedId)
  outcome.ttftMs = end.ttftMs
  outcome.usage = reader.usage
  // What a provider reported before it was cut off leaves out most of the response.
  if (!outcome.usage || end.fault)
    outcome.estimateFrom = { prompt: api.promptText(asked), delivered: reader.delivered }
  if (!end.fault) return null
  outcome.statusCode = end.fault.status
  outcome.errorMessage = end.fault.message
  return end.fault
}

type Headers = Parameters<typeof providerHeaders>[0]

/** A response that cannot be translated, because it is nested thousands of levels deep, is the provider's fault. */
function readResponse(exchange: ChatExchange, body: Uint8Array): ChatResponse {
  try {
    return exchange.response(body)
  } catch (error) {
    throw error instanceof Fault ? error : damaged(error)
  }
}

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
const maxListed = 1_000
/** Clients choose some of the names. Others no header can hold, or they would read as several. */
const shownName = /^[\x21-\x2b\x2d-\x7e]{1,100}$/

/** Names in a header what the provider was not sent. */
export function nameDropped(reply: Pick<Answering, 'header'>, names: readonly string[]): void {
  if (names.length === 0) return
  let listed = ''
  let count = 0
  for (const name of names) {
    if (count === maxNames || listed.length + name.length > maxListed) break
    if (!shownName.test(name)) continue
    listed += count++ === 0 ? name : `, ${name}`
  }
  const rest = names.length - count
  const more = rest === 0 ? '' : `${count === 0 ? '' : ', and '}${rest} more`
  void reply.header('x-signalbox-dropped', listed + more)
}

let waiting: PromiseWithResolvers<void> | undefined

/**
 * Resolves for all who wait when this iteration of the event loop is over. Under load a dozen requests then take the
 * same step one right after the other, while its code and data are in the processor's caches; alone, a request waits
 * a few microseconds.
 */
export function nextLoopTurn(): Promise<void> {
  if (!waiting) {
    const own = (waiting = Promise.withResolvers<void>())
    setImmediate(() => {
      waiting = undefined
      own.resolve()
    })
  }
  return waiting.promise
}
