import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { scopesIn } from '#kernel/auth'
import { isLoopback } from '#kernel/config'
import { Fault, faults, invalid } from '#kernel/errors'
import { callOwnRoute, groupOf, keySentBy, principalOf, whenClosed, type Http } from '#kernel/http'
import type { Offer } from './offer.ts'
import type { Platform } from '#tools'
import { addressOf, challenge } from './metadata-routes.ts'
import { faultBody, routeDocs } from './route-docs.ts'

export interface McpRouteDeps {
  publicUrl: string | undefined
  version: string
  loadOffer: () => Promise<Offer>
}

/** The longest call is a migration of 1 MiB, which JSON may double. */
const bodyLimit = 4 * 1024 * 1024

export function mcpRoutes(app: Http, { publicUrl, version, loadOffer }: McpRouteDeps): void {
  app.post(
    '/mcp',
    {
      bodyLimit,
      onSend: async (request, reply) => {
        if (reply.statusCode === 401) void reply.header('www-authenticate', challenge(request, publicUrl))
      },
      config: {
        needs: 'someone',
        keyOnly: true,
        accessTokens: true,
        forRuns: true,
        faultBody,
        docs: routeDocs,
      },
      schema: {
        tags: ['MCP'],
        operationId: 'sendMcpMessage',
        summary: 'Send a message of the Model Context Protocol',
        description:
          'Streamable HTTP without sessions, for versions 2025-03-26 to 2026-07-28 of the protocol. The scopes of the key decide which tools there are. Each message has one JSON response, or events where a call of a tool asks for progress; there is nothing to GET or DELETE.',
      },
    },
    async (request, reply) => {
      checkOrigin(request, publicUrl)
      if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body))
        throw invalid('The body must be one JSON-RPC message. Batches are not supported.')
      // Loaded with the first message: the protocol takes 15 MB that most servers never need.
      const { exchange } = await import('./http-handler.ts')
      const answer = await exchange(
        {
          url: 'http://localhost/mcp',
          headers: protocolHeaders(request),
          body: request.body,
          acceptsEvents: /\btext\/event-stream\b/.test(request.headers.accept ?? ''),
          platform: platformFor(app, request, addressOf(request, publicUrl)),
          signal: signalOf(reply),
        },
        await loadOffer(),
        version,
      )
      return send(reply, answer)
    },
  )
}

async function send(reply: FastifyReply, { status, headers, body }: Response): Promise<FastifyReply> {
  void reply.code(status)
  if (body === null) return reply.send()
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return reply.type('application/json; charset=utf-8').send(await new Response(body).text())
  void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  return reply.type('text/event-stream; charset=utf-8').send(Readable.fromWeb(body as ReadableStream))
}

/** This server, as the key of the request sees it. */
function platformFor(app: Http, request: FastifyRequest, address: string): Platform {
  const authorization = `Bearer ${keySentBy(request)}`
  return {
    address,
    scopes: scopesIn(principalOf(request), groupOf(request)),
    call: (call) => callOwnRoute(app, { ...call, headers: { authorization }, address: request.ip }),
  }
}

/**
 * A page of another site must not use a key that its visitor typed there, also where its name leads to this machine.
 * Programs send no Origin.
 */
function checkOrigin({ headers: { origin, host } }: FastifyRequest, publicUrl: string | undefined): void {
  if (origin === undefined) return
  const from = URL.canParse(origin) ? new URL(origin) : undefined
  const isPublic = publicUrl !== undefined && from?.origin === new URL(publicUrl).origin
  const isLocal = from !== undefined && from.host === host && isLoopback(from.hostname)
  if (!isPublic && !isLocal) throw new Fault(faults.forbidden, 'This request comes from another site.')
}

/** Only what the protocol reads. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('mcp-') && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return {
    ...Object.fromEntries(own),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
}

function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  whenClosed(reply.raw, () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
