import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hookRoutes } from './every-request.ts'
import { shownPath } from './shown-path.ts'
import { createSlowLog, timesOf } from './slow-requests.ts'
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
