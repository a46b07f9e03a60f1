import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#kernel/config'

const maxDrainMs = 10_000
/** Most clients read the response and stop sending; until then nothing of the rest is read. */
const firstTickMs = 100
const tickMs = 20

interface Draining {
  request: IncomingMessage
  from: number
  lastByte: number
  deadline: number
}

/**
 * A client that is still sending when it is refused must be able to read the response: a connection that is closed
 * with unread bytes is reset, and the response is lost. So the rest of the body is read and ignored, up to a limit:
 * one connection at a time, some 2 MB each, so that many of them do not keep the server from its other requests.
 */
export function drainRefused(app: FastifyInstance, config: Config): void {
  const queue: Draining[] = []
  let timer: NodeJS.Timeout | undefined

  const tick = (): void => {
    const next = queue.shift()
    if (next && step(next)) queue.push(next)
    timer = queue.length > 0 ? setTimeout(tick, tickMs) : undefined
  }
  app.addHook('onResponse', ({ raw: request }, _reply, done) => {
    done()
    const { socket } = request
    if (request.complete || socket.destroyed) return
    const now = performance.now()
    const lastByte = socket.bytesRead + 2 * config.MAX_BODY_BYTES
    socket.pause()
    queue.push({ request, from: now + firstTickMs, lastByte, deadline: now + maxDrainMs })
    timer ??= setTimeout(tick, firstTickMs)
  })
}

/** Reads once from a connection. False when there is nothing left to do for it. */
function step({ request, from, lastByte, deadline }: Draining): boolean {
  const { socket } = request
  if (socket.destroyed) return false
  if (request.complete) {
    socket.resume()
    return false
  }
  const now = performance.now()
  if (now < from) return true
  if (socket.bytesRead >= lastByte || now >= deadline) {
    socket.destroy()
    return false
  }
  request.resume()
  socket.resume()
  // The bytes that are there are read before the next turn of the event loop.
  setImmediate(() => !request.complete && !socket.destroyed && socket.pause())
  return true
}
