import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, faults, invalidField } from '#kernel/errors'
import { principalOf } from '#kernel/http'
import type { ChosenKey, Vault } from '#vault'
import type { Registry, Route } from '../../catalog/registry.ts'
import type { StoredResponse, StoredResponses } from '../../catalog/stored-responses.ts'
import type { StreamReader } from '../../provider.ts'
import { logRequest } from '../../request/log-request.ts'
import type { Meter, Outcome } from '../../request/meter.ts'
import { beginStream, relay } from '../../request/relay.ts'
import { refusal, toCall } from '../../request/send.ts'
import { waitForProvider } from '../../request/wait-for-provider.ts'
import type { KeepAlive } from '../../transport/keep-alive.ts'
import {
  ClientConnection,
  providerHeaders,
  receiveWhole,
  upstreamIdOf,
  type WholeResponse,
} from '../../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../../transport/upstream.ts'
import { noUsage } from '../../wire/chunk-writer.ts'
import { brokenFault } from '../../wire/fault.ts'
import { isObject, parseJson } from '../../wire/json.ts'
import { responses } from './index.ts'

export interface StoredCallDeps {
  registry: Registry
  vault: Vault
  meter: Meter
  upstream: Upstream
  keepAlive: KeepAlive
  stored: StoredResponses
}

export interface StoredCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** What follows the ID in the path. */
  suffix: '' | '/input_items' | '/cancel'
}

/** A response that the provider stores: the call is passed on, for the key that made the response. It costs nothing. */
export function createStoredCall(deps: StoredCallDeps) {
  return ({ method, suffix }: StoredCall) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      logRequest(deps, request, `${responses.path}/{response_id}${suffix}`, async (log) => {
        const { entry, outcome } = log
        const { response_id: id } = request.params as { response_id: string }
        const { search, searchParams } = new URL(request.url, 'http://signalbox')
        entry.isStream = method === 'GET' && suffix === '' && wantsStream(searchParams)
        const made = await findOwn(deps, id, entry)
        entry.model = made.model
        const { route } = deps.registry.requireModel(entry.groupId, made.model)
        entry.provider = route.provider.id
        const native = route.provider.storedResponses
        if (!native) throw unknown(id)
        const key = await chooseKey(deps.vault, request, route, made)
        entry.providerKeyId = key.id
        log.key = key.key
        outcome.usage = noUsage
        await log.open()
        const path = `${native.path}/${id}${suffix}${search}`
        const usual = toCall(route, { path }, '', key.key)
        const { 'content-type': _none, ...headers } = usual.headers
        const call: UpstreamCall = { ...usual, headers, method, body: null }
        const client = new ClientConnection(reply.raw)
        const sending = { call, client, route, reply, outcome }
        const wanted = { call, model: entry.model }
        if (entry.isStream)
          return waitForProvider(log, wanted, () => sendStream(deps, sending, native.stream()))
        const response = await waitForProvider(log, wanted, () => receiveWhole(deps.upstream, call, client))
        checkWhole(sending, response)
        // Before the client knows of it: its next call must not find the response.
        if (method === 'DELETE') await deps.stored.forget(id)
        return sendWhole(sending, response)
      })
}

interface Sending {
  call: UpstreamCall
  client: ClientConnection
  route: Route
  reply: FastifyReply
  outcome: Outcome
}

/** Throws where the provider refused, or sent no JSON. */
function checkWhole({ call, route, outcome }: Sending, response: WholeResponse): void {
  outcome.upstreamRequestId = upstreamIdOf(response.headers, call.mask)
  if (response.status < 200 || response.status >= 300) throw refusal(response, route)
  if (!isObject(parseJson(response.body.toString())))
    throw brokenFault(
      route.provider.name,
      'sent a response that is not JSON',
      response.body.toString('utf8', 0, 500),
    )
}

function sendWhole({ call, reply }: Sending, response: WholeResponse): FastifyReply {
  return reply
    .code(200)
    .headers(providerHeaders(response.headers, call.mask))
    .type('application/json; charset=utf-8')
    .send(response.body)
}

async function sendStream(
  { upstream, keepAlive }: StoredCallDeps,
  sending: Sending,
  reader: StreamReader,
): Promise<FastifyReply> {
  const { call, client, reply, outcome } = sending
  const end = await relay(upstream, {
    call,
    client,
    reader,
    keepAlive,
    response: reply.raw,
    isStream: (contentType) => contentType.startsWith('text/event-stream'),
    received: (headers) => (outcome.upstreamRequestId = upstreamIdOf(headers, call.mask)),
    begin: (_contentType, headers) =>
      beginStream(reply, 'text/event-stream; charset=utf-8', providerHeaders(headers, call.mask)),
    faultEvent: (fault) => responses.faultEvent(fault, reply.request.id, reader.nextNumber),
  })
  if (end.kind === 'whole') {
    checkWhole(sending, end)
    return sendWhole(sending, end)
  }
  outcome.ttftMs = end.ttftMs
  if (end.fault) {
    outcome.statusCode = end.fault.status
    outcome.errorMessage = end.fault.message
  }
  return reply
}

/** OpenAI reads other spellings as it likes; what is sent back must not depend on that. */
function wantsStream(query: URLSearchParams): boolean {
  const given = query.getAll('stream')
  const [value] = given
  if (given.length > 1 || (value !== undefined && value !== 'true' && value !== 'false'))
    throw invalidField('stream', 'must be true or false, and given once')
  return value === 'true'
}

async function findOwn(
  { stored }: StoredCallDeps,
  id: string,
  owner: { groupId: string; apiKeyId: string | null },
): Promise<StoredResponse> {
  const found = await stored.find(id, owner)
  if (!found) throw unknown(id)
  return found
}

const unknown = (id: string): Fault =>
  new Fault(faults.notFound, `Response with id '${id.slice(0, 100)}' not found.`)

/** The provider shows a response to the account that made it. A key that is gone may have one of the same account in its place. */
async function chooseKey(
  vault: Vault,
  request: FastifyRequest,
  { provider }: Route,
  { group_id: groupId, provider_key_id: madeWith }: StoredResponse,
): Promise<ChosenKey> {
  const usual = principalOf(request).key?.providerKeyOverrides[provider.id]
  if (madeWith === null) return vault.choose(groupId, provider, usual)
  try {
    return await vault.choose(groupId, provider, madeWith)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== faults.noProviderKey.code) throw error
    return vault.choose(groupId, provider, usual)
  }
}
