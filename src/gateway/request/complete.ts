import type { FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '#kernel/http'
import type { Vault } from '#vault'
import { ClientPresence } from '../transport/client-presence.ts'
import { readBody, type ClientRequest, type Dialect } from '../apis/index.ts'
import type { Meter, Outcome } from './meter.ts'
import type { ChatExchange } from '../providers/index.ts'
import { receiveWhole, redirectFault } from '../transport/receive.ts'
import { recorded } from './record.ts'
import type { Registry, Route } from '../catalog/registry.ts'
import { relayStream, type StreamDeps } from './relay-stream.ts'
import { nextTurn } from './turn.ts'
import type { UpstreamCall } from '../transport/upstream.ts'

export interface CompleteDeps extends StreamDeps {
  registry: Registry
  vault: Vault
  meter: Meter
}

/** One request on its way upstream. */
interface Passage {
  dialect: Dialect
  asked: ClientRequest
  route: Route
  exchange: ChatExchange
  call: UpstreamCall
  client: ClientPresence
  outcome: Outcome
}

/** The whole story of an answer, from the client's bytes to the settled record. */
export function createComplete(deps: CompleteDeps) {
  const { registry, vault } = deps

  return (dialect: Dialect) => (request: FastifyRequest, reply: FastifyReply) =>
    recorded(deps, request, dialect.path, async ({ entry, outcome, open }) => {
      const client = new ClientPresence(reply.raw)
      await nextTurn()
      const given = readBody(request.body as Uint8Array)
      entry.model = given.model
      const route = registry.route(entry.groupId, given.model)
      entry.provider = route.provider.id
      const asked = dialect.read(given, request.headers)
      entry.isStream = asked.isStream
      entry.userLabel = asked.userLabel
      entry.metadata = asked.metadata
      const override = principalOf(request).key?.providerKeyOverrides[route.provider.id]
      const chosen = vault.choose(entry.groupId, route.provider, override)
      const key = chosen instanceof Promise ? await chosen : chosen
      entry.providerKeyId = key.id
      const exchange = dialect.exchange(route.provider, asked)
      const call = toCall(route, exchange, key.key.reveal())
      await open()
      if (exchange.dropped.length > 0) void reply.header('x-signalbox-dropped', exchange.dropped.join(', '))
      const passage: Passage = { dialect, asked, route, exchange, call, client, outcome }
      await (asked.isStream ? stream(deps, passage, reply) : plain(deps, passage, reply))
      return reply
    })
}

async function plain(
  deps: CompleteDeps,
  { exchange, route, call, client, outcome }: Passage,
  reply: FastifyReply,
): Promise<void> {
  const answer = await receiveWhole(deps.upstream, call, client)
  await nextTurn()
  if (answer.status < 200 || answer.status >= 300) {
    throw redirectFault(answer.status) ?? route.provider.fault({ ...answer, body: answer.body.toString() })
  }
  const { body, usage } = exchange.response(answer.body)
  outcome.usage = usage
  void reply.code(200).type('application/json; charset=utf-8').send(body)
}

async function stream(deps: CompleteDeps, passage: Passage, reply: FastifyReply): Promise<void> {
  const { dialect, asked, exchange, route, call, client, outcome } = passage
  const reader = exchange.stream()
  const end = await relayStream(deps, {
    call,
    client,
    reader,
    provider: route.provider,
    response: reply.raw,
    faultEvent: (fault) => dialect.faultEvent(fault, reply.request.id),
    begin() {
      void reply.hijack()
      return {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      }
    },
  })
  outcome.ttftMs = end.ttftMs
  outcome.usage = reader.usage
  // What a provider said before it was cut off leaves out most of the answer.
  if (end.hasBegun && (!outcome.usage || end.fault))
    outcome.estimateFrom = { prompt: dialect.promptText(asked), delivered: reader.delivered }
  if (!end.fault) return
  if (!end.hasBegun) throw end.fault
  outcome.statusCode = end.fault.status
  outcome.errorMessage = end.fault.message
}

export function toCall(route: Route, exchange: ChatExchange, key: string): UpstreamCall {
  const credentials = route.provider.credentials(key)
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
      // Last: a client of the provider's own form may ask for another version of it.
      ...exchange.headers,
    },
    body: exchange.body,
    allowPrivate: route.allowPrivate,
  }
}
