import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createServer } from './server.ts'
import type { Platform } from './platform.ts'

export interface McpExchange {
  url: string
  headers: Readonly<Record<string, string>>
  body: unknown
  platform: Platform
  signal: AbortSignal
}

export interface McpReply {
  status: number
  headers: Headers
  body: string
}

/**
 * One message in, one JSON response out, in both eras of the protocol. Nothing is kept between requests, so that any
 * process can take the next one and a revoked key ends at once.
 */
export async function exchange(given: McpExchange, version: string): Promise<McpReply> {
  const { body: parsedBody, platform } = given
  const request = new Request(given.url, { method: 'POST', headers: given.headers, signal: given.signal })
  const isLegacy = await isLegacyRequest(request, parsedBody)
  const server = () => createServer(platform, version)
  if (!isLegacy) {
    // No stream stays open: there is nothing to subscribe to.
    const handler = createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 0 })
    return whole(await handler.fetch(request, { parsedBody }))
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const legacy = server()
  await legacy.connect(transport)
  given.signal.addEventListener('abort', () => void legacy.close(), { once: true })
  try {
    return await whole(await transport.handleRequest(request, { parsedBody }))
  } finally {
    await legacy.close()
  }
}

async function whole(response: Response): Promise<McpReply> {
  return { status: response.status, headers: response.headers, body: await response.text() }
}
