import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import type { Config } from '#kernel/config'
import { BodyBudget, bodyTooLarge, CountedBody } from './budget.ts'
import { drainRefused } from './drain.ts'
import { largeBody } from './read-json.ts'
import { cutSlowBodies, watchBody } from './slow-bodies.ts'

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
