import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import type { Config } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'
import { connectionsOf } from '../connections.ts'
import { endWith } from '../raw-response.ts'
import { BodyBudget, bodyTooLarge, CountedBody } from './budget.ts'
import { largeBody } from './read-json.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body piece by piece, with limits of its own; for all others it is held in memory. */
    streamsBody?: boolean
  }
  interface FastifyInstance {
    bodyBudget: BodyBudget
  }
}

/** Between identity and parsing: bodies are counted and must arrive in time. */
export function receiveBodies(app: FastifyInstance, config: Config): void {
  const budget = new BodyBudget(Math.max(config.BODY_BUDGET_BYTES, config.MAX_BODY_BYTES))
  app.decorate('bodyBudget', budget)
  // A client that asks first whether to send its body gets a refusal without having sent it.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return
    const limit = route.bodyLimit ?? config.MAX_BODY_BYTES
    const receive = route.config?.streamsBody === true ? receiveStream : receiveWhole(budget, limit)
    route.preParsing = [...[route.preParsing ?? []].flat(), receive]
  })
  cutSlowBodies(app, config.RECEIVE_TIMEOUT_MS)
  drainRefused(app, config)
}

const receiveStream: preParsingHookHandler = (request, reply, payload, done) => {
  if (request.raw.headers.expect !== undefined) reply.raw.writeContinue()
  done(null, payload)
}

function receiveWhole(budget: BodyBudget, limit: number): preParsingHookHandler {
  return (request, reply, payload, done) => {
    request.keyMs = reply.elapsedTime
    const { headers } = request.raw
    const bytes = Number(headers['content-length'] ?? 0)
    if (bytes > limit) return done(bodyTooLarge(limit))
    const fault = bytes > largeBody ? budget.reserveFor(reply.raw)(bytes) : undefined
    if (fault) return done(fault)
    watchBody(reply.raw)
    if (headers.expect !== undefined) reply.raw.writeContinue()
    if (headers['transfer-encoding'] === undefined) done(null, payload)
    else done(null, payload.pipe(new CountedBody(budget.reserveFor(reply.raw), limit)))
  }
}

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
function watchBody(response: ServerResponse): void {
  ;(response.req.socket as WatchedSocket)[current] = response
}

/** Cuts off requests whose body makes no progress; a timer for each of them would cost more than the request. */
function cutSlowBodies(app: FastifyInstance, timeoutMs: number): void {
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
