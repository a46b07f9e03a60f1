import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import {
  changeLimitBody,
  limit,
  limitList,
  newLimitBody,
  triedLimit,
  type TriedLimit,
} from './limit-shapes.ts'
import type { KnownLimit } from './limit.ts'
import type { Manage } from './manage.ts'

const tags = ['Limits']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the limit.' }) })

export interface LimitRouteDeps {
  manage: Manage
  tryLimit(draft: KnownLimit): Promise<TriedLimit>
}

export function limitRoutes(app: Http, { manage, tryLimit }: LimitRouteDeps): void {
  app.get(
    '/api/v1/limits',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'listLimits',
        summary: 'List limits',
        description: 'The limits of the group, with what is used of each in the window that runs now.',
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: limitList },
      },
    },
    async (request) => ({ data: await manage.list(groupOf(request).id) }),
  )

  app.post(
    '/api/v1/limits',
    {
      config: { needs: 'admin', inGroup: true, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createLimit',
        summary: 'Create a limit',
        description:
          'Counts from the next request on, and begins with what the window has used already. See docs/limits.md.',
        body: newLimitBody,
        response: { 201: limit },
      },
    },
    async (request, reply) => {
      const made = await manage.create(principalOf(request), groupOf(request), request.body)
      return reply.code(201).send(made)
    },
  )

  app.post(
    '/api/v1/limits/try',
    {
      config: { needs: 'admin', inGroup: true },
      schema: {
        tags,
        operationId: 'tryLimit',
        summary: 'Try a limit',
        description:
          'Which requests of the last 30 days the limit would have refused, from the usage log. Nothing is stored.',
        body: newLimitBody,
        response: { 200: triedLimit },
      },
    },
    async (request) => tryLimit(await manage.draft(groupOf(request).id, request.body)),
  )

  app.get(
    '/api/v1/limits/:id',
    {
      config: { needs: 'read' },
      schema: {
        tags,
        operationId: 'getLimit',
        summary: 'Get a limit',
        description: 'With what is used of it in the window that runs now.',
        params,
        response: { 200: limit },
      },
    },
    (request) => manage.get(principalOf(request), request.params.id),
  )

  app.patch(
    '/api/v1/limits/:id',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        operationId: 'changeLimit',
        summary: 'Change a limit',
        description:
          'Counts from the next request on; what is used stays. Subject, metric and window cannot be changed: create another limit.',
        params,
        body: changeLimitBody,
        response: { 200: limit },
      },
    },
    (request) => manage.change(principalOf(request), request.params.id, request.body),
  )

  app.delete(
    '/api/v1/limits/:id',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        operationId: 'deleteLimit',
        summary: 'Delete a limit',
        description: 'Nothing is limited by it any more.',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await manage.remove(principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
