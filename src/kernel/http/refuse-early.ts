import type { FastifyInstance } from 'fastify'
import { invalid } from '#kernel/errors'
import { unknownRoute } from './route-table.ts'

/** Refuses what no route can serve before its body is read. */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // No text of a query or a path may contain NUL: PostgreSQL cannot store it.
    if (request.url.includes('%00')) return done(invalid('The request URL must not contain NUL characters.'))
    // A proxy in front and this server could each believe another one.
    if (hostsIn(request.raw.rawHeaders) > 1)
      return done(invalid('The request has more than one Host header. Send one.'))
    if (request.is404 && request.method !== 'GET') return done(unknownRoute(app, request))
    done()
  })
}

/** Node keeps only the first of them in the headers. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? '')) hosts++
  return hosts
}
