import type { FastifyInstance, FastifyRequest } from 'fastify'
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
  { log, metrics }: Pick<HttpDeps, 'log' | 'metrics'>,
): void {
  hookRoutes(app, 'onResponse', (route) => {
    const count = metrics.requestsOf(route?.url ?? 'unknown')
    const needs = route?.config.needs
    const isMinor = needs === 'anyone' || needs === 'page'
    const isLogged = route?.config.keyOnly === true
    return (request, reply, done) => {
      count(request.method, reply.statusCode, reply.elapsedTime)
      const level = isMinor || (isLogged && reply.statusCode < 400) ? 'debug' : 'info'
      if (log.isLevelEnabled(level)) {
        log[level](
          {
            requestId: request.id,
            method: request.method,
            path: pathOf(request, route?.url, reply.statusCode),
            status: reply.statusCode,
            ms: Math.round(reply.elapsedTime),
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
