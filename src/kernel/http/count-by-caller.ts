import type { FastifyInstance } from 'fastify'
import { onBehalfOf } from '#kernel/db'

/** The queries of all requests of a person count together, whatever key they use: one person leaves connections to others. */
export function countByCaller(app: FastifyInstance): void {
  app.addHook('preHandler', ({ principal }, _reply, done) => {
    onBehalfOf(principal?.user?.id ?? principal?.key?.id ?? 'nobody', done)
  })
}
