import type { FastifyReply, FastifyRequest, onErrorAsyncHookHandler } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import { principalOf } from '#kernel/http'
import type { Vault } from '#vault'
import type { Registry, Route } from '../catalog/registry.ts'
import { ownProvider } from '../providers/index.ts'
import { providerHeaders, upstreamIdOf, ClientConnection, receiveWhole } from '../transport/receive.ts'
import type { Upstream } from '../transport/upstream.ts'
import { noUsage } from '../wire/chunk-writer.ts'
import { checkModelsAllowed } from './allowed-models.ts'
import { nameDropped, refusal, toCall } from './send.ts'
import { createRefusalLog, logRequest, type RequestLog } from './log-request.ts'
import type { Meter } from './meter.ts'
import { waitForProvider } from './wait-for-provider.ts'

export interface EmbeddingCallDeps {
  registry: Registry
  vault: Vault
  meter: Meter
  upstream: Upstream
}

/** How embeddings are logged, and asked of providers. */
export interface EmbeddingCalls {
  /** Logs a request for vectors that the server makes itself; `serve` returns the number of tokens too. */
  own<T>(request: FastifyRequest, call: OwnCall, serve: () => Promise<Counted<T>>): Promise<T>
  /** Sends a request to the provider of its model, and its response to the client. */
  send(request: FastifyRequest, reply: FastifyReply, call: ProviderCall): Promise<FastifyReply>
  /** Logs requests that are refused before they are read. */
  refused(endpoint: string): onErrorAsyncHookHandler
}

interface OwnCall {
  endpoint: string
  model: string
  userLabel?: string | undefined
}

interface Counted<T> {
  result: T
  tokens: number
}

interface ProviderCall extends OwnCall {
  body: Readonly<Record<string, unknown>>
  /** To count tokens when the provider does not report them. */
  promptText(): string
}

export function createEmbeddingCalls(given: EmbeddingCallDeps): EmbeddingCalls {
  const deps = { ...given, meter: quiet(given.meter) }
  return {
    refused: createRefusalLog(deps.meter),
    own: (request, call, serve) =>
      logRequest(deps, request, call.endpoint, async (log) => {
        describe(log, call)
        checkModelsAllowed(principalOf(request), call)
        log.entry.provider = ownProvider
        await log.open()
        const { result, tokens } = await serve()
        log.outcome.usage = { ...noUsage, uncached: tokens }
        return result
      }),
    send: (request, reply, call) =>
      logRequest(deps, request, call.endpoint, (log) => sendUpstream(deps, log, request, reply, call)),
  }
}

function quiet(meter: Meter): Meter {
  return {
    open: (entry) => meter.open({ ...entry, isQuiet: true }),
    accepts: () => meter.accepts(),
  }
}

async function sendUpstream(
  { registry, vault, upstream }: EmbeddingCallDeps,
  log: RequestLog,
  request: FastifyRequest,
  reply: FastifyReply,
  given: ProviderCall,
): Promise<FastifyReply> {
  const { entry, outcome } = log
  describe(log, given)
  checkModelsAllowed(principalOf(request), given)
  const found = registry.resolveEmbeddings(entry.groupId, given.model)
  const models = found?.route.provider.embeddings
  if (!found || !models) throw unknownModel(given.model)
  const { route } = found
  const asked = { ...given, model: found.model }
  entry.model = asked.model
  entry.provider = route.provider.id
  const usable = await vault.usableProviders(entry.groupId)
  if (!usable.has(route.provider.id)) throw withoutKey(asked.model, route)
  const override = principalOf(request).key?.providerKeyOverrides[route.provider.id]
  const key = await vault.choose(entry.groupId, route.provider, override)
  entry.providerKeyId = key.id
  log.key = key.key
  const exchange = models.exchange(asked)
  await log.open()
  const client = new ClientConnection(reply.raw)
  const received: Buffer[] = []
  let headers: Record<string, string> = {}
  try {
    for (const body of exchange.bodies) {
      const call = toCall(route, exchange, body, key.key)
      const response = await waitForProvider(log, { call, model: asked.model }, () =>
        receiveWhole(upstream, call, client),
      )
      outcome.upstreamRequestId = upstreamIdOf(response.headers, call.mask)
      if (response.status < 200 || response.status >= 300) throw refusal(response, route)
      received.push(response.body)
      headers = providerHeaders(response.headers, call.mask)
    }
  } catch (error) {
    // The provider charges for the calls before this one.
    if (received.length > 0) outcome.usage = exchange.response(received).usage
    throw error
  }
  const { body, usage } = exchange.response(received)
  outcome.usage = usage
  if (!usage) outcome.estimateFrom = { prompt: asked.promptText(), delivered: '' }
  nameDropped(reply, exchange.dropped)
  // The bytes are the provider's; the schema describes them, and does not write them.
  return reply
    .code(200)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .serializer((sent: string) => sent)
    .send(typeof body === 'string' ? body : Buffer.from(body).toString())
}

function describe({ entry }: RequestLog, { model, userLabel }: OwnCall): void {
  entry.model = model
  entry.userLabel = userLabel ?? null
}

function unknownModel(model: string): Fault {
  return new Fault(
    faults.modelNotFound,
    `There is no embedding model "${model.slice(0, 100)}". GET /api/v1/models lists the models of this server.`,
    { param: 'model' },
  )
}

function withoutKey(model: string, { provider }: Route): Fault {
  return new Fault(
    faults.modelNotFound,
    `The embedding model "${model.slice(0, 100)}" needs a key of ${provider.name}: add one under Providers.`,
    { param: 'model' },
  )
}
