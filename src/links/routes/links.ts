import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { link, linkBody, thingId, thingType } from '../contract.ts'
import type { Links } from '../links.ts'
import { sightOf } from './sight-of.ts'

const tags = ['Links']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the link.' }) })
const inGroupQuery = z.object(groupId)
/** A program may add a link; removing one is for people and keys of admins. */
const add = { needs: 'events', inGroup: true } as const
const remove = { needs: 'events', keyNeeds: 'admin', inGroup: true, docs: { errors: ['conflict'] } } as const

/** For somebody without a group no link exists. */
function groupFor(request: FastifyRequest): string {
  if (principalOf(request).groups.length === 0) throw notFound('The link')
  return groupOf(request).id
}

export function linkRoutes(app: Http, links: Links): void {
  app.get(
    '/api/v1/links',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'listLinks',
        summary: 'List the links of a thing',
        description:
          'Both ways, the surest first; at most 200. Of the requests of a session, a run or a stand-up the newest 20 are listed.',
        querystring: z.object({ type: thingType, id: thingId, ...groupId }),
        response: { 200: listOf(link) },
      },
    },
    async (request) => {
      const { type, id } = request.query
      return { data: await links.list(groupOf(request).id, { type, id }, sightOf(request)) }
    },
  )

  app.post(
    '/api/v1/links',
    {
      config: add,
      schema: {
        tags,
        operationId: 'createLink',
        summary: 'Link two things',
        description:
          'Both must exist; commits and pull requests live elsewhere and may be any. One that is there already is returned with 200.',
        body: linkBody,
        response: { 200: link, 201: link },
      },
    },
    async (request, reply) => {
      const { user } = principalOf(request)
      const { link: made, isNew } = await links.add(
        groupOf(request).id,
        user?.id ?? null,
        request.body,
        sightOf(request),
      )
      return reply.code(isNew ? 201 : 200).send(made)
    },
  )

  app.delete(
    '/api/v1/links/:id',
    {
      config: remove,
      schema: {
        tags,
        operationId: 'deleteLink',
        summary: 'Remove a link that a person made',
        description: 'Links that were found are not removed: an inferred one can be dismissed.',
        params,
        querystring: inGroupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await links.remove(groupFor(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v1/links/:id/dismiss',
    {
      config: { ...remove, docs: { errors: ['conflict'], noBody: true } },
      schema: {
        tags,
        operationId: 'dismissLink',
        summary: 'Dismiss a link that is wrong',
        description: 'An inferred link is not shown, walked or counted any more, and not found again.',
        params,
        querystring: inGroupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await links.dismiss(groupFor(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
