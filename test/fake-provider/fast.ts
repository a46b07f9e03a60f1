import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Identifiers } from './identifiers.ts'
import { PromptCache } from './prompt-cache.ts'
import { prefixes, providerApis } from './providers.ts'
import { RecordedRequest } from './record.ts'
import { providerNames, type ProviderName } from './names.ts'
import type { Endpoint, ProviderApi } from './provider-api.ts'

export interface FastOptions {
  port: number
  chunks: number
  text: string
  chunkEveryMs: number
}

interface Prepared {
  headers: Record<string, string>
  parts: Buffer[]
  /** The whole body as it goes over the line; a stream with one HTTP chunk for each event. */
  framed: Buffer
}

const asksForStream = /"stream"\s*:\s*true/

/** A server for benches: every reply is made once, at the start, and a request is hardly looked at. */
export async function startFastProvider(options: FastOptions): Promise<{ url: string; close(): void }> {
  const prepared = prepareAll(options)
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
      const streamed =
        path.endsWith(':streamGenerateContent') || asksForStream.test(body?.toString('latin1') ?? '')
      // Gemini has the model in the path; all models share one prepared reply.
      const key = path.replace(/\/models\/[^:]+:.*$/, '/models/')
      const reply = prepared.get(`${request.method} ${key} ${streamed}`)
      if (reply === undefined) response.writeHead(404).end()
      else send(response, reply, options.chunkEveryMs)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close().closeAllConnections() }
}

function send(response: ServerResponse, reply: Prepared, everyMs: number): void {
  response.writeHead(200, reply.headers)
  if (everyMs === 0 || reply.parts.length === 1) {
    // The chunks are framed already: one write instead of a thousand.
    response.flushHeaders()
    response.chunkedEncoding = false
    response.end(reply.framed)
    return
  }
  let next = 0
  const timer = setInterval(() => {
    const part = reply.parts[next]
    next += 1
    if (part !== undefined) response.write(part)
    else {
      clearInterval(timer)
      response.end()
    }
  }, everyMs)
  response.on('close', () => clearInterval(timer))
}

function prepareAll(options: FastOptions): Map<string, Prepared> {
  const prepared = new Map<string, Prepared>()
  for (const provider of providerNames) {
    const api: ProviderApi = providerApis[provider]
    for (const endpoint of api.endpoints) {
      // Counting is checked too strictly for the example request, and nothing is stored.
      if (endpoint.name === 'count_tokens' || endpoint.name === 'stored') continue
      for (const streamed of [false, true]) {
        const path = examplePath(provider, endpoint, streamed)
        const key = path.replace(/\/models\/[^:]+:.*$/, '/models/')
        prepared.set(
          `${endpoint.method} ${prefixes[provider]}${key} ${streamed}`,
          prepare(api, endpoint, path, streamed, options),
        )
      }
    }
  }
  return prepared
}

function prepare(
  api: ProviderApi,
  endpoint: Endpoint,
  path: string,
  streamed: boolean,
  options: FastOptions,
): Prepared {
  const request = new RecordedRequest({
    provider: api.name,
    endpoint: endpoint.name,
    method: endpoint.method,
    path,
    query: new URLSearchParams(streamed ? 'alt=sse' : ''),
    headers: {},
  })
  request.json = {
    model: 'bench',
    stream: streamed,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'bench' }],
    input: 'bench',
  }
  const reply = { unchecked: true, repeat: { text: options.text, times: options.chunks } }
  const exchange = { request, reply, identifiers: new Identifiers(), cache: new PromptCache() }
  const outgoing = endpoint.respond(exchange)
  const body = outgoing.body as string | Iterable<string>
  const parts = (typeof body === 'string' ? [body] : [...body]).map((part) => Buffer.from(part))
  const whole = parts.length === 1 ? parts[0] : undefined
  const sent =
    whole === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(whole.length) }
  return {
    headers: { ...api.headers(exchange), ...outgoing.headers, ...sent },
    parts,
    framed: whole ?? frame(parts),
  }
}

function frame(parts: Buffer[]): Buffer {
  const framed = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')])
}

function examplePath(provider: ProviderName, endpoint: Endpoint, streamed: boolean): string {
  if (endpoint.name === 'generate') {
    return `/v1beta/models/bench:${streamed ? 'streamGenerateContent' : 'generateContent'}`
  }
  const paths: Partial<Record<string, string>> = {
    messages: '/v1/messages',
    chat: '/chat/completions',
    responses: '/responses',
    agent: '/v1/agent',
    transcriptions: '/audio/transcriptions',
  }
  const listing = { anthropic: '/v1/models', gemini: '/v1beta/models' } as Partial<
    Record<ProviderName, string>
  >
  return paths[endpoint.name] ?? listing[provider] ?? '/models'
}
