import type { FastifyInstance } from 'fastify'
import { invalid } from '#kernel/errors'
import { unknownRoute } from './route-table.ts'

/** Refuses what no route can serve before its body is read. */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // No text of a query or a path may contain NUL: PostgreSQL cannot store it.
    if (request.url.includes('%00')) return done(invalid('The request URL must not contain NUL characters.'))
    if (request.is404 && request.method !== 'GET') return done(unknownRoute(app, request))
    done()
  })
}
