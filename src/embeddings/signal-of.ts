import type { FastifyReply } from 'fastify'

/** Aborted when the client goes away: what it waited for then gives its place in the queue to others. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // Also comes after a whole answer, when nobody listens any more.
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
