import { Fault } from '#kernel/errors'
import { principalOf } from '#kernel/http'
import type { Vault } from '#vault'
import type { Api, ClientRequest } from '../api.ts'
import type { Route } from '../catalog/registry.ts'
import type { StoredResponses } from '../catalog/stored-responses.ts'
import type { ChatExchange, ChatResponse } from '../provider.ts'
import { damaged } from '../transport/faults.ts'
import { providerHeaders, upstreamIdOf, ClientConnection, receiveWhole } from '../transport/receive.ts'
import { factsOf, requestFor, type Names } from '../routing/names/index.ts'
import type { KeepAlive } from '../transport/keep-alive.ts'
import type { Upstream, UpstreamCall } from '../transport/upstream.ts'
import { writtenText } from '../wire/written-text.ts'
import { checkModelsAllowed } from './allowed-models.ts'
import { readBody } from './body.ts'
import type { Answering, Asking } from './client.ts'
import { limitedCall } from './limited-call.ts'
import type { Limits } from './limits.ts'
import { nameDropped, refusal, toCall } from './upstream-call.ts'
import { logRequest } from './log-request.ts'
import type { PlannedTarget } from '../routing/plan.ts'
import type { Meter, Outcome } from './meter.ts'
import { beginStream, relay } from './relay.ts'

export interface CompleteDeps {
  names: Names
  vault: Vault
  meter: Meter
  upstream: Upstream
  keepAlive: KeepAlive
  stored: StoredResponses
  /** Without them nothing is limited. */
  limits?: Limits | undefined
  /** Settings that a model cannot take are refused instead of left out. */
  refusesUnsupported: boolean
}

/** A request that is read, routed and translated, ready to go upstream. */
interface PreparedCall {
  api: Api
  asked: ClientRequest
  route: Route
  exchange: ChatExchange
  call: UpstreamCall
  client: ClientConnection
  outcome: Outcome
  requestId: string
  /** Of the group's limits, which win over the provider's own. */
  limitHeaders: Readonly<Record<string, string>>
  /** Remembers who made a response that the provider keeps. */
  noteStored(id: string | undefined): void
}

/** Serves one request of an API, from the client's bytes to the settled log entry. */
export function createComplete(deps: CompleteDeps) {
  const { names, vault, refusesUnsupported } = deps

  return (api: Api) => (request: Asking, reply: Answering) =>
    logRequest(deps, request, api.path, async (log) => {
      const { entry, outcome, open } = log
      const client = new ClientConnection(reply.raw)
      await nextLoopTurn()
      const given = readBody(request.body)
      entry.model = given.model
      checkModelsAllowed(principalOf(request), given.body)
      const planned = names.plan(entry.groupId, given, factsOf(api, given))
      const plan = planned instanceof Promise ? await planned : planned
      const [target] = plan.targets as [PlannedTarget]
      const { route } = target
      entry.route = plan.route
      entry.model = target.name
      entry.provider = route.provider.id
      const asked = requestFor(api.read(given, request.headers), target)
      entry.isStream = asked.isStream
      entry.userLabel = asked.userLabel
      entry.metadata = asked.metadata
      const override =
        target.providerKeyId ?? principalOf(request).key?.providerKeyOverrides[route.provider.id]
      const chosen = vault.choose(entry.groupId, route.provider, override)
      const key = chosen instanceof Promise ? await chosen : chosen
      entry.providerKeyId = key.id
      log.key = key.key
      const exchange = api.exchange(route.provider, asked)
      const [unsupported] = exchange.adapted ?? []
      if (unsupported && refusesUnsupported) throw unsupported
      const body = exchange.largeBody ? await exchange.largeBody.write() : exchange.body
      const call = toCall(route, exchange, body, key.key)
      const called = { provider: route.provider.id, model: entry.model }
      const asking = deps.limits?.reserve(limitedCall(request, entry, called, asked))
      const reservation = asking instanceof Promise ? await asking : asking
      log.reservation = reservation
      await open()
      nameDropped(reply, exchange.dropped)
      const limitHeaders = reservation?.headers ?? {}
      if (exchange.local) {
        outcome.usage = exchange.local.usage
        return reply
          .code(200)
          .headers(limitHeaders)
          .type('application/json; charset=utf-8')
          .send(exchange.local.body)
      }
      const noteStored = (id: string | undefined): void => {
        if (id === undefined || entry.apiKeyId === null || asked.body['store'] === false) return
        const owner = { group_id: entry.groupId, api_key_id: entry.apiKeyId, provider_key_id: key.id }
        deps.stored.note({ id, ...owner, model: target.model })
      }
      const ready = { api, asked, route, exchange, call, client, outcome, noteStored, limitHeaders }
      const prepared: PreparedCall = { ...ready, requestId: request.id }
      await (asked.isStream ? sendStream(deps, prepared, reply) : sendWhole(deps, prepared, reply))
      return reply
    })
}

async function sendWhole(
  { upstream }: CompleteDeps,
  { api, asked, exchange, route, call, client, outcome, noteStored, limitHeaders }: PreparedCall,
  reply: Answering,
): Promise<void> {
  const response = await receiveWhole(upstream, call, client)
  await nextLoopTurn()
  outcome.upstreamRequestId = upstreamIdOf(response.headers, call.mask)
  if (response.status < 200 || response.status >= 300) throw refusal(response, route)
  outcome.isUnread = true
  const { body, usage, storedId } = readResponse(exchange, response.body)
  noteStored(storedId)
  outcome.isUnread = false
  outcome.usage = usage
  if (!usage) outcome.estimateFrom = { prompt: api.promptText(asked), delivered: writtenText(response.body) }
  void reply
    .code(200)
    .headers({ ...providerHeaders(response.headers, call.mask), ...limitHeaders })
    .type('application/json; charset=utf-8')
    .send(body)
}

async function sendStream(
  { upstream, keepAlive }: CompleteDeps,
  { api, asked, exchange, route, call, client, outcome, noteStored, requestId, limitHeaders }: PreparedCall,
  reply: Answering,
): Promise<void> {
  const reader = exchange.stream()
  const end = await relay(upstream, {
    call,
    client,
    reader,
    keepAlive,
    response: reply.raw,
    isStream: () => true,
    received: (headers) => (outcome.upstreamRequestId = upstreamIdOf(headers, call.mask)),
    begin: (_contentType, headers) =>
      beginStream(reply, 'text/event-stream; charset=utf-8', {
        ...providerHeaders(headers, call.mask),
        ...limitHeaders,
      }),
    faultEvent: (fault) => api.faultEvent(fault, requestId, reader.nextNumber),
  })
  if (end.kind === 'whole') throw refusal(end, route)
  noteStored(reader.storedId)
  outcome.ttftMs = end.ttftMs
  outcome.usage = reader.usage
  // What a provider reported before it was cut off leaves out most of the response.
  if (!outcome.usage || end.fault)
    outcome.estimateFrom = { prompt: api.promptText(asked), delivered: reader.delivered }
  if (!end.fault) return
  outcome.statusCode = end.fault.status
  outcome.errorMessage = end.fault.message
}

/** A response that cannot be translated, because it is nested thousands of levels deep, is the provider's fault. */
function readResponse(exchange: ChatExchange, body: Uint8Array): ChatResponse {
  try {
    return exchange.response(body)
  } catch (error) {
    throw error instanceof Fault ? error : damaged(error)
  }
}

let waiting: PromiseWithResolvers<void> | undefined

/**
 * Resolves for all who wait when this iteration of the event loop is over. Under load a dozen requests then take the
 * same step one right after the other, while its code and data are in the processor's caches; alone, a request waits
 * a few microseconds.
 */
function nextLoopTurn(): Promise<void> {
  if (!waiting) {
    const own = (waiting = Promise.withResolvers<void>())
    setImmediate(() => {
      waiting = undefined
      own.resolve()
    })
  }
  return waiting.promise
}
