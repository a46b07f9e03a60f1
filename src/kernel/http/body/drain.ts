import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#kernel/config'

const maxDrainMs = 10_000
const checkMs = 100

/**
 * A client that is still sending when it is refused must be able to read the response: a connection that is closed
 * with unread bytes is reset, and the response is lost. So the rest of the body is read and ignored, up to a limit.
 */
export function drainRefused(app: FastifyInstance, config: Config): void {
  const maxBytes = 2 * config.MAX_BODY_BYTES
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete && !request.raw.socket.destroyed) drain(request.raw, maxBytes)
    done()
  })
}

function drain(request: IncomingMessage, maxBytes: number): void {
  const { socket } = request
  const lastByte = socket.bytesRead + maxBytes
  const deadline = performance.now() + maxDrainMs
  request.resume()
  const check = setInterval(() => {
    if (!request.complete && !socket.destroyed) {
      if (socket.bytesRead < lastByte && performance.now() < deadline) return
      socket.destroy()
    }
    clearInterval(check)
  }, checkMs)
}
