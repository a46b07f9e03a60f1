import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hookRoutes } from './hook-routes.ts'
import { shownPath } from './shown-path.ts'
import type { HttpDeps } from './types.ts'

/** One log line and one measurement per request. The path is logged without its query, which may contain a secret. */
export function trackRequests(
  app: FastifyInstance,
  { log, metrics }: Pick<HttpDeps, 'log' | 'metrics'>,
): void {
  hookRoutes(app, 'onResponse', (route) => {
    const count = metrics.requestsOf(route?.url ?? 'unknown')
    const needs = route?.config.needs
    const level = needs === 'anyone' || needs === 'page' ? 'debug' : 'info'
    return (request, reply, done) => {
      count(request.method, reply.statusCode, reply.elapsedTime)
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
