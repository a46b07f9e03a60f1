import { request, type IncomingMessage } from 'node:http'
import { duplexPair } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { Http } from './types.ts'

export interface OwnCall {
  /** Defaults to POST. */
  method?: 'GET' | 'POST' | undefined
  path: string
  headers: Record<string, string>
  /** Undefined: none is sent. */
  body?: unknown
  signal?: AbortSignal | undefined
  /** Where the one for whom the call is made is, for keys that are bound to addresses. */
  address?: string | undefined
}

export interface OwnResponse {
  status: number
  headers: IncomingMessage['headers']
  /** Undefined where the body is not JSON. */
  body: unknown
}

/**
 * Calls a route of this process over a connection in memory: as a client would, from the guard to the log, but without
 * a port. An abort disconnects, as of any client.
 */
export async function callOwnRoute(app: Http, call: OwnCall): Promise<OwnResponse> {
  return readOwnRoute(app, call, readOwnJson)
}

/** The same for a response that is read as it comes. The connection ends when `read` does. */
export async function readOwnRoute<T>(
  app: Http,
  { method = 'POST', path, headers, body, signal, address }: OwnCall,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  await app.ready()
  const [client, server] = duplexPair()
  app.server.emit('connection', Object.assign(server, { remoteAddress: address }))
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request({
        method,
        path,
        headers: {
          host: 'localhost',
          connection: 'close',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        createConnection: () => client,
        ...(signal && { signal }),
      })
      call.once('response', resolve)
      call.once('error', reject)
      call.end(body === undefined ? undefined : JSON.stringify(body))
    })
    return await read(response)
  } finally {
    client.destroy()
    server.destroy()
  }
}

/** Undefined body where it is not JSON. */
export async function readOwnJson(response: IncomingMessage): Promise<OwnResponse> {
  const received = await json(response).catch((error: unknown) => {
    if (error instanceof SyntaxError) return undefined
    throw error
  })
  return { status: response.statusCode ?? 0, headers: response.headers, body: received }
}
