import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { rowJson } from '#kernel/rows'
import { grant, grantBody, type Grant } from '../contract.ts'
import type { Grants } from '../rules/grants.ts'
import type { GrantRow } from '../rules/rule-store.ts'

const tags = ['SQL']
const admins = { needs: 'person', roles: ['admin', 'owner'], inGroup: true } as const
const actorOf = (request: FastifyRequest) => ({ principal: principalOf(request), group: groupOf(request) })

/** More than a policy allows, for a time. */
export function grantRoutes(app: Http, grants: Grants): void {
  app.get(
    '/api/v1/sql/grants',
    {
      config: { needs: 'sql', inGroup: true },
      schema: {
        tags,
        operationId: 'listSqlGrants',
        summary: 'List grants',
        description: 'The latest 200, newest first.',
        querystring: z.object(groupId),
        response: { 200: listOf(grant) },
      },
    },
    async (request) => ({ data: (await grants.list(groupOf(request).id)).map(toJson) }),
  )

  app.post(
    '/api/v1/sql/grants',
    {
      config: { ...admins, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'giveSqlGrant',
        summary: 'Give an agent more for a time',
        description:
          'By an admin or owner who is signed in, never by a key. It ends on its own, and wins only over what it names: rules of `prod`, and what no policy can allow, stay.',
        body: grantBody,
        response: { 201: grant },
      },
    },
    async (request, reply) => reply.code(201).send(toJson(await grants.give(actorOf(request), request.body))),
  )

  app.delete(
    '/api/v1/sql/grants/:id',
    {
      config: { ...admins, docs: { noBody: true, errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'revokeSqlGrant',
        summary: 'Revoke a grant',
        params: z.object({ id: z.uuid().meta({ description: 'The ID of the grant.' }) }),
        querystring: z.object(groupId),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (principalOf(request).groups.length === 0) throw notFound('The grant')
      await grants.revoke(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

const shown = [
  ...(['id', 'agent_id', 'database', 'operations', 'tables', 'unmask', 'reason'] as const),
  ...(['created_at', 'expires_at', 'revoked_at'] as const),
]

const toJson = (row: GrantRow): Grant => ({
  ...rowJson(row, shown),
  status: row.revoked_at ? 'revoked' : row.expires_at <= new Date() ? 'ended' : 'active',
  given_by: row.giver,
  revoked_by: row.revoker,
})
