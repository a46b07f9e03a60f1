import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import { connectionsOf } from '../connections.ts'
import { endWith } from '../raw-response.ts'

const current = Symbol('the response to the request whose body is being received')
const progress = Symbol('how far that body had come')

interface Progress {
  response: ServerResponse
  began: number
  at: number
  bytes: number
}

interface WatchedSocket extends Socket {
  [current]?: ServerResponse | undefined
  [progress]?: Progress | undefined
}

/** A body must arrive at this rate, and within this many timeouts. */
const minBytesPerSecond = 1_024
const maxTimeouts = 15

/** Called for every request, so it only leaves a mark: the connections are looked at from time to time. */
export function watchBody(response: ServerResponse): void {
  ;(response.req.socket as WatchedSocket)[current] = response
}

/** Cuts off requests whose body makes no progress; a timer for each of them would cost more than the request. */
export function cutSlowBodies(app: FastifyInstance, timeoutMs: number): void {
  const intervalMs = timeoutMs / 4
  let last = performance.now()
  const sweep = setInterval(() => {
    const now = performance.now()
    // When the process itself was held up, nobody is to blame for bytes that it has not read yet.
    const wasHeldUp = now - last > timeoutMs
    last = now
    for (const socket of connectionsOf(app.server)) look(socket, now, wasHeldUp, timeoutMs)
  }, intervalMs).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweep)
    done()
  })
}

function look(socket: WatchedSocket, now: number, wasHeldUp: boolean, timeoutMs: number): void {
  const response = socket[current]
  if (response === undefined) return
  if (response.req.complete || response.headersSent) {
    socket[current] = socket[progress] = undefined
    return
  }
  const seen = socket[progress]
  if (seen?.response !== response) {
    socket[progress] = { response, began: now, at: now, bytes: socket.bytesRead }
  } else if (wasHeldUp) {
    seen.at = now
  } else if (now - seen.at >= timeoutMs) {
    const isSlow = socket.bytesRead - seen.bytes < (minBytesPerSecond * timeoutMs) / 1_000
    if (isSlow || now - seen.began >= maxTimeouts * timeoutMs) endWith(socket, bodyTooSlow())
    Object.assign(seen, { at: now, bytes: socket.bytesRead })
  }
}

const bodyTooSlow = (): Fault => new Fault(faults.requestTimeout, 'The request body did not arrive in time.')
