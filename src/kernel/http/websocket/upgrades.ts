import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#kernel/config'
import { Fault, faults, invalid } from '#kernel/errors'

declare module 'fastify' {
  interface FastifyInstance {
    webSockets: Upgrades
  }
}

interface Upgrade {
  socket: Socket
  head: Buffer
  response: ServerResponse
}

/**
 * Requests that become a WebSocket. They take the way of all others, from the guard to the route, which accepts them;
 * whatever refuses them does so with a plain HTTP response.
 */
export class Upgrades {
  readonly #paths = new Set<string>()
  readonly #waiting = new WeakMap<IncomingMessage, Upgrade>()
  #server: WebSocketServer | undefined

  /** Only there is `Upgrade: websocket` read; everywhere else it stays without effect. */
  addPath(path: string): void {
    this.#paths.add(path)
  }

  isWanted({ headers, method, url = '' }: IncomingMessage): boolean {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false
    return this.#paths.has(url.replace(/\/?(\?.*)?$/s, ''))
  }

  listen(app: FastifyInstance): void {
    app.server.on('upgrade', (request, stream: Duplex, head) => {
      const socket = stream as Socket
      const response = new ServerResponse(request)
      response.shouldKeepAlive = false
      response.assignSocket(socket)
      // A refusal is the last thing that is sent.
      response.once('finish', () => socket.destroySoon())
      socket.on('error', () => socket.destroy())
      this.#waiting.set(request, { socket, head, response })
      app.routing(request, response)
    })
  }

  /** Refuses a request that does not ask for a WebSocket, or not as the protocol wants it. */
  check({ raw }: FastifyRequest): void {
    if (!this.#waiting.has(raw))
      throw new Fault(faults.invalidRequest, 'Open this address as a WebSocket, or send a POST request.', {
        status: 426,
        headers: { upgrade: 'websocket', connection: 'upgrade' },
      })
    const { 'sec-websocket-key': key = '', 'sec-websocket-version': version } = raw.headers
    if (!/^[+/\w]{22}==$/.test(key)) throw invalid('Sec-WebSocket-Key is not valid.', 'Sec-WebSocket-Key')
    if (version !== '13') throw invalid('Sec-WebSocket-Version must be 13.', 'Sec-WebSocket-Version')
  }

  /** Answers the handshake. The library is loaded with the first one: most servers never need it. */
  async accept(
    request: FastifyRequest,
    reply: FastifyReply,
    { MAX_BODY_BYTES }: Pick<Config, 'MAX_BODY_BYTES'>,
    open: (socket: WebSocket) => void,
  ): Promise<void> {
    const upgrade = this.#waiting.get(request.raw)
    if (!upgrade) throw new Error('only a checked request can be accepted')
    this.#server ??= await createServer(MAX_BODY_BYTES)
    void reply.hijack()
    upgrade.response.detachSocket(upgrade.socket)
    ids.set(request.raw, request.id)
    this.#server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, open)
  }
}

const ids = new WeakMap<IncomingMessage, string>()

async function createServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import('ws')
  const server = new Server({ noServer: true, maxPayload, perMessageDeflate: false, clientTracking: false })
  server.on('headers', (lines, request) => lines.push(`X-Request-ID: ${ids.get(request) ?? ''}`))
  return server
}
