import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import { groupOf, principalOf } from '#kernel/http'
import { executorOf } from '../audit/audit.ts'
import type { Caller } from '../story/caller.ts'

/** Who asks, and until when: a client that disconnects cancels its statement. */
export function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  const principal = principalOf(request)
  return { principal, group: groupOf(request), executor: executorOf(principal), signal: signalOf(reply) }
}

export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void =>
    controller.abort(new Fault(faults.unavailable, 'The client disconnected.', { status: 499 }))
  // Also fires after a complete response, when nothing listens any more.
  reply.raw.once('close', abort)
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) abort()
  return controller.signal
}
