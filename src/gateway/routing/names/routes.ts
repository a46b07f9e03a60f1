import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import {
  explainBody,
  namedRoute,
  routeBody,
  routeChange,
  routeExplanation,
  routeList,
  type RouteExplanation,
} from '../../route-contract.ts'
import type { RouteManager } from './manage-routes.ts'
import type { RequestFacts } from '../plan.ts'

const tags = ['Routes']
const path = '/api/v1/routes'
const params = z.object({
  name: z
    .string()
    .max(300)
    .meta({ description: 'The name.', examples: ['fast'] }),
})
const inGroup = z.object({ group_id: z.uuid().optional() })
const read = { needs: 'read', inGroup: true } as const
const admin = { needs: 'admin', inGroup: true } as const

export interface RouteDeps {
  routes: RouteManager
  explain(groupId: string, name: string, facts: RequestFacts): Promise<RouteExplanation>
}

/** Names of a group for models: `model` of a request may be one. */
export function nameRoutes(app: Http, { routes, explain }: RouteDeps): void {
  app.get(
    path,
    {
      config: read,
      schema: {
        tags,
        operationId: 'listRoutes',
        summary: 'List routes',
        description: 'The names that the group has for one or more models, in the order of the alphabet.',
        querystring: inGroup,
        response: { 200: routeList },
      },
    },
    async (request) => ({ data: await routes.list(groupOf(request).id) }),
  )

  app.post(
    path,
    {
      config: { ...admin, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createRoute',
        summary: 'Create a route',
        description:
          'From the next request on, its name is a model of the group, and wins over a model of the same name.',
        body: routeBody,
        response: { 201: namedRoute },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await routes.add(principalOf(request), groupOf(request), request.body)),
  )

  app.get(
    `${path}/:name`,
    {
      config: read,
      schema: {
        tags,
        operationId: 'getRoute',
        summary: 'Get a route',
        params,
        querystring: inGroup,
        response: { 200: namedRoute },
      },
    },
    (request) => routes.find(groupOf(request).id, request.params.name),
  )

  app.patch(
    `${path}/:name`,
    {
      config: { ...admin, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'updateRoute',
        summary: 'Update a route',
        description: 'Fields that are not sent keep their values.',
        params,
        querystring: inGroup,
        body: routeChange,
        response: { 200: namedRoute },
      },
    },
    (request) => routes.change(principalOf(request), groupOf(request), request.params.name, request.body),
  )

  app.delete(
    `${path}/:name`,
    {
      config: admin,
      schema: {
        tags,
        operationId: 'deleteRoute',
        summary: 'Delete a route',
        params,
        querystring: inGroup,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await routes.remove(principalOf(request), groupOf(request), request.params.name)
      return reply.code(204).send(null)
    },
  )

  app.post(
    `${path}/:name/explain`,
    {
      config: read,
      schema: {
        tags,
        operationId: 'explainRoute',
        summary: 'Explain a route',
        description: 'What a request would do now, and why. Nothing is sent to a provider.',
        params,
        body: explainBody,
        response: { 200: routeExplanation },
      },
    },
    (request) => {
      const {
        input_tokens: inputTokens = 0,
        tools: hasTools = false,
        images: hasImages = false,
      } = request.body
      return explain(groupOf(request).id, request.params.name, { inputTokens, hasTools, hasImages })
    },
  )
}
