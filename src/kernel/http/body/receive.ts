import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import type { Config } from '#kernel/config'
import { BodyBudget, bodyTooLarge, CountedBody } from './budget.ts'
import { drainRefused } from './drain.ts'
import { largeBody } from './read-json.ts'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Fault, faults } from '#kernel/errors'
import { connectionsOf } from '../connections.ts'
import { endWith } from '../raw-response.ts'

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
