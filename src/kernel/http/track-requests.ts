import type { FastifyInstance } from 'fastify'
import type { HttpDeps } from './types.ts'

/** One log line and one measurement a request. The path goes in without its query, which may hold a secret. */
export function trackRequests(
  app: FastifyInstance,
  { log, metrics }: Pick<HttpDeps, 'log' | 'metrics'>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.requestDone(request.method, route, reply.statusCode, reply.elapsedTime)
    const { needs } = request.routeOptions.config
    const level = needs === 'anyone' || needs === 'page' ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      log[level](
        {
          requestId: request.id,
          method: request.method,
          path: request.url.split('?')[0]?.slice(0, 200),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request',
      )
    }
    done()
  })
}
