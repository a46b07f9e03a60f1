import type { FastifyInstance } from 'fastify'
import type { RequestSpan, Tracing } from '#kernel/tracing'
import { hookRoutes } from './every-request.ts'
import { whenClosed } from './when-closed.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where requests are traced. */
    span: RequestSpan | undefined
  }
}

/** A span for every request. What anybody may call is left out, and so are requests without a valid key. */
export function traceRequests(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('span', undefined)
  if (!tracing) return
  hookRoutes(app, 'onRequest', (route) => {
    const needs = route?.config.needs
    if (!route || needs === 'anyone' || needs === 'page') return (_request, _reply, done) => done()
    return (request, reply, done) => {
      const span = (request.span = tracing.begin(`${request.method} ${route.url}`, request.headers))
      whenClosed(reply.raw, () => {
        if (!request.principal) return
        const status = reply.raw.statusCode
        span.add({
          'http.request.method': request.method,
          'http.route': route.url,
          'http.response.status_code': status,
          'signalbox.request_id': request.id,
          ...(status >= 500 && { 'error.type': String(status) }),
        })
        span.end()
      })
      done()
    }
  })
}
