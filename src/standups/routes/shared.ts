import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { authorOf, type Author } from '#initiatives'
import { requireRole } from '#kernel/auth'
import { Fault, faults, notFound } from '#kernel/errors'
import { groupOf, principalOf, whenClosed } from '#kernel/http'
import { groupId } from '#kernel/paging'

export const tags = ['Stand-ups']
export const inGroupQuery = z.object(groupId)

const id = z
  .string()
  .min(1)
  .max(63)
  .meta({ description: 'The ID or the slug of the initiative.', examples: ['checkout-in-one-step'] })
export const params = z.object({ id })
export const sessionParams = z.object({
  id,
  session_id: z.uuid().meta({ description: 'The ID of the stand-up.' }),
})
export const proposalParams = z.object({
  id,
  proposal_id: z.uuid().meta({ description: 'The ID of the proposal.' }),
})
export const artifactParams = z.object({
  id,
  artifact_id: z.uuid().meta({ description: 'The ID of the draft.' }),
})

export const read = { needs: 'read', inGroup: true } as const
/** Talking asks a model, which costs. Keys also need `read`: the one who talks hears what the agent reads. */
export const talk = { needs: 'gateway', keyAlsoNeeds: 'read', inGroup: true } as const
/** Never by a key: a decision is a person's. */
export const forPeople = { needs: 'person', roles: ['member', 'admin', 'owner'], inGroup: true } as const
export const decide = { ...forPeople, docs: { errors: ['conflict'] } } as const

export interface Caller {
  groupId: string
  initiativeId: string
  author: Author
}

/** For somebody without a group no initiative exists. */
export async function callerOf(
  request: FastifyRequest,
  idOrSlug: string,
  find: (groupId: string, idOrSlug: string) => Promise<{ id: string }>,
): Promise<Caller> {
  if (principalOf(request).groups.length === 0) throw notFound('The initiative')
  const { id: groupId } = groupOf(request)
  const { id: initiativeId } = await find(groupId, idOrSlug)
  return { groupId, initiativeId, author: authorOf(request) }
}

/** The caller of a route that is for people, who must be more than a viewer. */
export async function personOf(...asked: Parameters<typeof callerOf>): Promise<Caller> {
  const caller = await callerOf(...asked)
  requireRole(groupOf(asked[0]), ...forPeople.roles)
  return caller
}

/** Aborts when the client disconnects. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  whenClosed(reply.raw, () =>
    controller.abort(new Fault(faults.unavailable, 'The client disconnected.', { status: 499 })),
  )
  return controller.signal
}
