import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '#kernel/log'
import { hookRoutes } from './every-request.ts'
import { shownPath } from './shown-path.ts'
import type { HttpDeps } from './types.ts'

/**
 * One measurement per request, and one log line. The path is logged without its query, which may contain a secret.
 * What an API key asked for with success is a line for debugging only: the usage log has it, and a line costs more than
 * the rest of the server does for a request.
 */
export function trackRequests(
  app: FastifyInstance,
  { config, log, metrics }: Pick<HttpDeps, 'config' | 'log' | 'metrics'>,
): void {
  app.decorateRequest('keyMs', 0)
  app.decorateRequest('readyMs', 0)
  app.decorateRequest('isTimedApart', false)
  const slow = createSlowLog(log, config.SLOW_REQUEST_MS)
  hookRoutes(app, 'onResponse', (route) => {
    const count = metrics.requestsOf(route?.url ?? 'unknown')
    const needs = route?.config.needs
    const isMinor = needs === 'anyone' || needs === 'page'
    const isLogged = route?.config.keyOnly === true
    return (request, reply, done) => {
      const ms = reply.elapsedTime
      const status = reply.statusCode
      count(request.method, status, ms)
      if (slow?.isSlow(ms, 0) && route && !request.isTimedApart) {
        const times = timesOf(request, ms)
        if (slow.isSlow(ms, times.body))
          slow.write({ requestId: request.id, route: route.url, status, ms, times })
      }
      const level = isMinor || (isLogged && status < 400) ? 'debug' : 'info'
      if (log.isLevelEnabled(level)) {
        log[level](
          {
            requestId: request.id,
            method: request.method,
            path: pathOf(request, route?.url, status),
            status,
            ms: Math.round(ms),
          },
          'request',
        )
      }
      done()
    }
  })
}

/** What a refused path has in the place of an ID may be a secret that somebody pasted there. */
function pathOf({ url }: FastifyRequest, route: string | undefined, status: number): string {
  if (route === undefined) return shownPath(url)
  return status === 400 || status === 404 ? route : (url.split('?')[0] ?? route).slice(0, 200)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds until the caller was known, where the request has a body. */
    keyMs: number
    /** Milliseconds until the route had its turn. */
    readyMs: number
    /** A stream that stays open, or a request that the usage log times. */
    isTimedApart: boolean
  }
}

/** Where the time of a request went, in milliseconds. The body and the upstream are not the server's own. */
export interface RequestTimes {
  key: number
  body: number
  limits?: number
  journal?: number
  pauses?: number
  upstream?: number
}

export interface TimedRequest {
  requestId: string
  /** With names in the place of IDs, and without a query. */
  route: string
  status: number
  ms: number
  times: Readonly<RequestTimes>
}

export interface SlowLog {
  /** By the duration of a request, and what of it was not the server's. */
  isSlow(ms: number, elsewhereMs: number): boolean
  write(request: TimedRequest): void
}

/** An overloaded server must not be slowed down further by its own log. */
const maxLines = 20
const intervalMs = 10_000

/** Logs requests whose own time is above the limit, and where it went. Undefined where the limit is 0. */
export function createSlowLog(log: Log, limitMs: number): SlowLog | undefined {
  if (limitMs === 0) return undefined
  let since = 0
  let lines = 0
  let leftOut = 0

  function write({ requestId, route, status, ms, times }: TimedRequest): void {
    const now = Date.now()
    if (now - since >= intervalMs) [since, lines] = [now, 0]
    if (lines === maxLines) return void leftOut++
    lines++
    const own = ms - times.body - (times.upstream ?? 0)
    const named = Object.entries(times).map(([phase, spent]) => [`${phase}Ms`, Math.round(spent)] as const)
    const fields = { requestId, route, status, ms: Math.round(ms), ownMs: Math.round(own) }
    log.warn({ ...fields, ...Object.fromEntries(named), ...(leftOut > 0 && { leftOut }) }, 'slow request')
    leftOut = 0
  }

  return { isSlow: (ms, elsewhereMs) => ms - elsewhereMs > limitMs, write }
}

interface Marked {
  readonly keyMs?: number
  readonly readyMs?: number
}

/** The time until the route had its turn, or until the end where it never had. A request of this process has none. */
export function timesOf({ keyMs = 0, readyMs = 0 }: Marked, endMs = 0): RequestTimes {
  const untilReady = readyMs === 0 ? endMs : readyMs
  return keyMs === 0 ? { key: untilReady, body: 0 } : { key: keyMs, body: Math.max(0, untilReady - keyMs) }
}
