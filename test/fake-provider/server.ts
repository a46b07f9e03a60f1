import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { deliver } from './deliver.ts'
import { Identifiers } from './identifiers.ts'
import { parseJson } from './json.ts'
import { readForm } from './multipart.ts'
import { PromptCache } from './prompt-cache.ts'
import { prefixes, providerApis } from './providers.ts'
import { RecordedRequest } from './record.ts'
import { providerNames, type ProviderName } from './names.ts'
import type { Match, Reply, ReplySource } from './reply.ts'
import { Script } from './script.ts'
import { Refused, eventStream, jsonBody } from './provider-api.ts'
import type { Endpoint, Exchange, Outgoing, ProviderApi } from './provider-api.ts'

export interface FakeProviderOptions {
  port?: number
}

export interface BaseUrls {
  ANTHROPIC_BASE_URL: string
  OPENAI_BASE_URL: string
  GEMINI_BASE_URL: string
  PERPLEXITY_BASE_URL: string
  OPENROUTER_BASE_URL: string
}

export interface FakeProvider {
  readonly url: string
  readonly baseUrls: BaseUrls
  /** Every request received, oldest first. */
  readonly requests: RecordedRequest[]
  /** Scripted replies not used yet. */
  readonly pendingReplies: number
  /** Queues a reply for the next matching request. */
  script(reply: ReplySource): void
  script(match: ProviderName | Match, reply: ReplySource): void
  /** Answers every matching request so; the newest one wins, queued replies go first. */
  always(match: ProviderName | Match, reply: ReplySource): void
  /** Resolves once this many requests have been received whole. */
  waitForRequests(count: number, timeoutMs?: number): Promise<RecordedRequest[]>
  /** Forgets scripts, requests and cached prompts. */
  reset(): void
  close(): Promise<void>
}

const bodyLimit = 64 * 1024 * 1024

export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const script = new Script()
  const cache = new PromptCache()
  const requests: RecordedRequest[] = []
  const received = new EventTarget()
  const identifiers = new Identifiers()

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = locate(incoming)
    if (target === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no provider has this path\n')
      return
    }
    const { api, endpoint, request } = target
    let reply: Reply = {}
    requests.push(request)
    response.on('close', () => {
      if (response.writableFinished) request.answered = true
      // A connection that this server resets was not left by the caller.
      else if (reply.reset === undefined) request.markAborted()
    })
    await readBody(incoming, request)
    received.dispatchEvent(new Event('request'))
    reply = await script.take(request)
    const exchange: Exchange = { request, reply, identifiers, cache }
    const outgoing = instead(api, reply) ?? answer(api, endpoint, exchange)
    const fault = api.streamFault(reply.streamError ?? {}, request)
    outgoing.headers = { ...api.headers(exchange), ...outgoing.headers }
    await deliver(response, outgoing, reply, fault)
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      // A caller that goes away while it is still sending is no fault of the test.
      if (incoming.errored === null) console.error(error)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(options.port ?? 0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    baseUrls: baseUrls(url),
    requests,
    get pendingReplies() {
      return script.pending
    },
    script(first: ProviderName | Match | ReplySource, second?: ReplySource) {
      if (second === undefined) script.enqueue({}, first as ReplySource)
      else script.enqueue(first as ProviderName | Match, second)
    },
    always: (match, reply) => script.stand(match, reply),
    async waitForRequests(count, timeoutMs = 5000) {
      const signal = AbortSignal.timeout(timeoutMs)
      const whole = () => requests.filter((request) => request.received)
      while (whole().length < count) await once(received, 'request', { signal })
      return whole()
    },
    reset() {
      script.clear()
      cache.clear()
      requests.length = 0
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export function baseUrls(url: string): BaseUrls {
  return {
    ANTHROPIC_BASE_URL: url + prefixes.anthropic,
    OPENAI_BASE_URL: url + prefixes.openai,
    GEMINI_BASE_URL: url + prefixes.gemini,
    PERPLEXITY_BASE_URL: url + prefixes.perplexity,
    OPENROUTER_BASE_URL: url + prefixes.openrouter,
  }
}

function locate(incoming: IncomingMessage) {
  const url = new URL(incoming.url ?? '/', 'http://fake')
  const provider = providerNames.find((name) => url.pathname.startsWith(`${prefixes[name]}/`))
  if (provider === undefined) return undefined
  const method = incoming.method ?? 'GET'
  const path = decodeURIComponent(url.pathname.slice(prefixes[provider].length))
  const api: ProviderApi = providerApis[provider]
  const endpoint = api.endpoints.find((one) => one.method === method && one.path.test(path))
  const request = new RecordedRequest({
    provider,
    endpoint: endpoint?.name,
    method,
    path,
    query: url.searchParams,
    headers: incoming.headers,
  })
  return { api, endpoint, request }
}

async function readBody(incoming: IncomingMessage, request: RecordedRequest): Promise<void> {
  const contentType = incoming.headers['content-type'] ?? ''
  const hash = createHash('sha256')
  async function* measured(): AsyncIterable<Buffer> {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      hash.update(chunk)
      request.bodyBytes += chunk.length
      yield chunk
    }
  }
  if (contentType.startsWith('multipart/form-data')) {
    request.form = await readForm(measured(), contentType)
  } else {
    const chunks: Buffer[] = []
    for await (const chunk of measured()) {
      if (request.bodyBytes <= bodyLimit) chunks.push(chunk)
    }
    request.body = Buffer.concat(chunks)
    request.json = request.body.length > 0 ? parseJson(request.body.toString()) : undefined
  }
  request.bodySha256 = hash.digest('hex')
  request.received = true
}

/** The replies that need no model: errors, raw bodies, redirects, silence. */
function instead(api: ProviderApi, reply: Reply): Outgoing | undefined {
  if (reply.error !== undefined) return api.fault(reply.error)
  if (reply.redirect !== undefined) {
    return { status: 302, headers: { location: reply.redirect }, body: '', streamed: false }
  }
  if (reply.frames !== undefined) return eventStream(reply.frames)
  if (reply.hang === 'before-headers' || reply.reset === 'before-headers') {
    return { status: 200, headers: {}, body: '', streamed: false }
  }
  const { body } = reply
  if (body === undefined) return undefined
  if (typeof body === 'object' && 'json' in body) return jsonBody(200, body.json)
  return { status: 200, headers: { 'content-type': 'application/json' }, body, streamed: false }
}

function answer(api: ProviderApi, endpoint: Endpoint | undefined, exchange: Exchange): Outgoing {
  const { request, reply } = exchange
  try {
    if (reply.unchecked !== true) api.authenticate(request)
    if (endpoint === undefined) return api.fault({ status: 404 })
    return endpoint.respond(exchange)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    request.refusal = error.message
    return error.outgoing
  }
}
