import type { FastifyRequest } from 'fastify'
import { Fault } from '#kernel/errors'
import { groupOf } from './guard.ts'

/**
 * Whether the caller of a response that stays open may still read this group: keys are revoked, people leave and sign
 * out. True while nobody can say, because the database is unavailable.
 */
export async function isStillAllowed(request: FastifyRequest, groupId: string): Promise<boolean> {
  try {
    request.principal = (await request.routeOptions.config.identify?.(request)) ?? null
    return groupOf(request).id === groupId
  } catch (error) {
    return !(error instanceof Fault && error.status < 500)
  }
}
