import type { FastifyReply } from 'fastify'
import { Fault, faults } from '#kernel/errors'

/** Aborted when the client goes away: what it waited for then gives its place in the queue to others. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // Also comes after a whole answer, when nobody listens any more.
  reply.raw.once('close', () =>
    controller.abort(new Fault(faults.unavailable, 'The caller went away.', { status: 499 })),
  )
  return controller.signal
}
