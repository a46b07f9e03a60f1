import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, principalOf, type RouteDocs } from '#kernel/http'
import { groupId } from '#kernel/paging'

export const tags = ['Initiatives']
export const inGroupQuery = z.object(groupId)
const idOrSlug = z
  .string()
  .min(1)
  .max(63)
  .meta({ description: 'The ID or the slug of the initiative.', examples: ['checkout-in-one-step'] })
export const params = z.object({ id: idOrSlug })
export const detailParams = z.object({
  id: idOrSlug,
  detail: z.uuid().meta({ description: 'The ID of what belongs to the initiative.' }),
})

const docs: RouteDocs = { errors: ['conflict'] }
export const read = { needs: 'read', inGroup: true } as const
/** A program may add to an initiative; removing something is for people and keys of admins. */
export const write = { needs: 'events', inGroup: true, docs } as const
export const writeByPeople = { needs: 'events', keyNeeds: 'admin', inGroup: true, docs } as const

/** To change how sure the people are is for people, never for a key. */
export const byPeopleOnly = {
  needs: 'person',
  roles: ['member', 'admin', 'owner'],
  inGroup: true,
  docs,
} as const

/** For somebody without a group no initiative exists. */
export function groupFor(request: FastifyRequest): string {
  if (principalOf(request).groups.length === 0) throw notFound('The initiative')
  return groupOf(request).id
}
