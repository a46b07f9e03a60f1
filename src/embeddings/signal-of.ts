import type { FastifyReply } from 'fastify'
import { Fault, faults } from '#kernel/errors'

/** Aborted when the client disconnects, so that its texts leave the queue. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // Also fires after a complete response, when nothing listens any more.
  reply.raw.once('close', () =>
    controller.abort(new Fault(faults.unavailable, 'The client disconnected.', { status: 499 })),
  )
  return controller.signal
}
