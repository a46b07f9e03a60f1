import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { documentFrame, tagNames, type ApiDocument } from './frame.ts'
import { Components } from './json-schema.ts'
import { addLinks } from './links.ts'
import { operationOf, templateOf } from './operation.ts'
import type { DescribedRoute } from './route-docs.ts'

export type { ApiDocument } from './frame.ts'
export type { MediaDocs, ResponseDocs, RouteDocs } from './route-docs.ts'
export { templateOf } from './operation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The API document of the routes that are registered, or of those of one path. */
    apiDocument(path?: string): ApiDocument
  }
}

/** The API document is made from the same schemas that check requests. */
export function describeApi(app: FastifyInstance, version: string): void {
  const routes: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema = {}, config = {} }) => {
    if (schema.hide === true) return
    const { needs = 'anyone', keyNeeds, keyOnly = false, roles, inGroup = false, docs = {} } = config
    for (const name of [method].flat())
      if (name !== 'HEAD')
        routes.push({ method: name, url, needs, keyNeeds, keyOnly, roles, inGroup, schema, docs })
  })
  let document: ApiDocument | undefined
  app.decorate('apiDocument', (path?: string) =>
    path === undefined
      ? (document ??= documentOf(routes, version))
      : documentOf(
          routes.filter((route) => templateOf(route) === path),
          version,
        ),
  )
  app.get(
    '/openapi.json',
    {
      config: { needs: 'read' },
      schema: {
        tags: ['Server'],
        operationId: 'getApiDocument',
        summary: 'Get the API document',
        description: 'This document: OpenAPI 3.1, made from the routes as they run.',
        response: { 200: z.looseObject({ openapi: z.string() }).meta({ examples: [{ openapi: '3.1.0' }] }) },
      },
    },
    () => app.apiDocument() as never,
  )
}

function documentOf(routes: readonly DescribedRoute[], version: string): ApiDocument {
  const components = new Components()
  const paths: ApiDocument['paths'] = {}
  for (const route of routes.toSorted((a, b) => tagOrder(a) - tagOrder(b))) {
    const template = templateOf(route)
    paths[template] = {
      ...paths[template],
      [route.method.toLowerCase()]: operationOf(route, components),
    }
  }
  addLinks(paths, components)
  return documentFrame(version, paths, components)
}

/** Paths are in the order of their tags, so that readers of the file find the gateway first, too. */
function tagOrder({ schema }: DescribedRoute): number {
  const place = tagNames.indexOf(schema.tags?.[0] ?? '')
  return place === -1 ? tagNames.length : place
}
