import type { FastifyReply } from 'fastify'
import { Fault, faults } from '#kernel/errors'

/** Aborted when the client disconnects, so that its texts leave the queue. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void =>
    controller.abort(new Fault(faults.unavailable, 'The client disconnected.', { status: 499 }))
  // Also fires after a complete response, when nothing listens any more.
  reply.raw.once('close', abort)
  // It may have disconnected while the body waited for its turn to be parsed.
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) abort()
  return controller.signal
}
