import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Offer } from './offer.ts'
import type { Platform } from '#tools'
import { createServer } from './server.ts'

export interface McpExchange {
  url: string
  headers: Readonly<Record<string, string>>
  body: unknown
  /** The client reads server-sent events too. */
  acceptsEvents: boolean
  platform: Platform
  signal: AbortSignal
}

const asksForProgress = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ _meta: z.looseObject({ progressToken: z.union([z.string(), z.number()]) }) }),
})

/**
 * One message in, one response out, in both eras of the protocol: JSON, or events where a call reports its progress.
 * Nothing is kept between requests, so that any process can take the next one and a revoked key ends at once.
 */
export async function exchange(given: McpExchange, offer: Offer, version: string): Promise<Response> {
  const { body: parsedBody, platform } = given
  const request = new Request(given.url, { method: 'POST', headers: given.headers, signal: given.signal })
  const streams = given.acceptsEvents && asksForProgress.safeParse(parsedBody).success
  const server = () => createServer(offer, platform, version, { reports: streams })
  if (!(await isLegacyRequest(request, parsedBody))) {
    // No stream stays open: there is nothing to subscribe to.
    const handler = createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 0 })
    return handler.fetch(request, { parsedBody })
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
  const legacy = server()
  await legacy.connect(transport)
  const close = (): void => void legacy.close()
  given.signal.addEventListener('abort', close, { once: true })
  const response = await transport.handleRequest(request, { parsedBody })
  return withEnd(response, close)
}

/** The server of a request ends with its response. */
function withEnd(response: Response, end: () => void): Response {
  if (response.body === null) {
    end()
    return response
  }
  const body = response.body.pipeThrough(new TransformStream({ flush: end }))
  return new Response(body, response)
}
