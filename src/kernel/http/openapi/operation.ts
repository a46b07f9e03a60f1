import { z } from 'zod'
import { exampleOf } from './example.ts'
import { errorResponses, type ErrorResponse } from './error-responses.ts'
import type { Components, Direction, JsonSchema } from './json-schema.ts'
import type { DescribedRoute, MediaDocs, ResponseDocs } from './route-docs.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

interface MediaType {
  schema: JsonSchema
  example?: unknown
  examples?: MediaDocs['examples']
}

export interface Response {
  description: string
  headers?: object
  content?: Record<string, MediaType>
  links?: Record<string, Link>
}

/** An operation that can follow, with the values that it takes from this one. */
export interface Link {
  operationId: string
  parameters: Record<string, string>
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags: readonly string[]
  security: Record<string, never[]>[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Record<string, MediaType> }
  responses: Record<string, Response | { $ref: string }>
}

const group = z.object({
  group_id: z
    .uuid()
    .optional()
    .meta({ description: 'The group to act in. Defaults to your first group; a key acts in its own.' }),
})
const groupHeader = z.object({
  'X-Group-ID': z.uuid().optional().meta({ description: 'The same as `group_id`, which takes precedence.' }),
})

export function operationOf(route: DescribedRoute, components: Components): Operation {
  const { schema, docs } = route
  const noBody = docs.noBody === true ? 'Takes no request body.' : undefined
  const description = [schema.description, noBody, scopeText(route), rolesText(route)]
    .filter(Boolean)
    .join('\n\n')
  const content = bodyOf(route, components)
  return {
    ...(schema.operationId !== undefined && { operationId: schema.operationId }),
    ...(schema.summary !== undefined && { summary: schema.summary }),
    ...(description !== '' && { description }),
    tags: schema.tags ?? [],
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', schema.params ?? docs.params, components),
      ...queryOf(route, components),
      ...parametersOf('header', schema.headers ?? docs.headers, components),
      ...(route.inGroup ? parametersOf('header', groupHeader, components) : []),
    ],
    ...(content && { requestBody: { required: true, content } }),
    responses: responsesOf(route, components),
  }
}

/** The rest of a path that Fastify calls `*` goes by the name that the documented parameters give it. */
export function templateOf({ url, docs }: Pick<DescribedRoute, 'url' | 'docs'>): string {
  const named = url.replaceAll(/:(\w+)/g, '{$1}')
  const rest = Object.keys(docs.params?.shape ?? {}).find((name) => !named.includes(`{${name}}`))
  return rest === undefined ? named : named.replace('*', `{${rest}}`)
}

function scopeText({ needs, keyNeeds, keyOnly }: DescribedRoute): string | undefined {
  if (needs === 'anyone' || needs === 'page') return undefined
  if (needs === 'someone')
    return keyNeeds === undefined
      ? 'Requires a session or an API key.'
      : `Requires a session, or an API key with the scope \`${keyNeeds}\`.`
  if (needs === 'person') return 'Requires a session; API keys are refused.'
  if (keyNeeds !== undefined) return `Requires the scope \`${needs}\`; an API key needs \`${keyNeeds}\`.`
  return keyOnly ? `Requires an API key with the scope \`${needs}\`.` : `Requires the scope \`${needs}\`.`
}

function rolesText({ roles }: DescribedRoute): string | undefined {
  return roles && `For people with the role ${roles.map((role) => `\`${role}\``).join(' or ')}.`
}

function securityOf({ needs, keyOnly }: DescribedRoute): Operation['security'] {
  if (needs === 'anyone' || needs === 'page') return []
  if (keyOnly) return [{ apiKey: [] }, { apiKeyHeader: [] }]
  const person = [{ session: [] }, { ownerToken: [] }]
  return needs === 'person' ? person : [{ apiKey: [] }, ...person]
}

function queryOf({ schema, docs, inGroup }: DescribedRoute, components: Components): Parameter[] {
  const own = parametersOf('query', schema.querystring ?? docs.querystring, components)
  if (!inGroup) return own
  const [shared] = parametersOf('query', group, components)
  const others = own.filter(({ name }) => name !== 'group_id')
  return shared ? [...others, shared] : others
}

function parametersOf(place: Parameter['in'], schema: unknown, components: Components): Parameter[] {
  if (!(schema instanceof z.ZodType)) return []
  const { properties = {}, required = [] } = components.resolve(components.convert(schema, 'input'))
  return Object.entries(properties).map(([name, { description, ...rest }]) => {
    const isRequired = required.includes(name)
    const example = exampleOf(rest, components)
    return {
      name,
      in: place,
      required: isRequired,
      ...(description !== undefined && { description }),
      schema: rest,
      // A client fills in what has an example, so only what must be sent gets one.
      ...(isRequired && example !== undefined && { example }),
    }
  })
}

function bodyOf(
  { schema, docs }: DescribedRoute,
  components: Components,
): Record<string, MediaType> | undefined {
  const body = schema.body ?? docs.body
  if (body === undefined) return undefined
  if (!(body instanceof z.ZodType)) return mediaTypes(body as Record<string, MediaDocs>, components, 'input')
  const types = docs.bodyTypes ?? ['application/json']
  const direction = schema.body === undefined ? 'input' : 'body'
  return mediaTypes(Object.fromEntries(types.map((type) => [type, { schema: body }])), components, direction)
}

function mediaTypes(
  content: Readonly<Record<string, MediaDocs>>,
  components: Components,
  direction: Direction,
): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, example, examples }]) => {
      const json = components.convert(schema, direction)
      // Converted schemas of bodies that are transformed have lost theirs.
      const shown = example ?? ownExample(schema) ?? exampleOf(json, components)
      const shownAs = examples ? { examples } : shown === undefined ? {} : { example: shown }
      return [type, { schema: json, ...shownAs }]
    }),
  )
}

function ownExample(schema: z.ZodType): unknown {
  const examples: unknown = schema.meta()?.examples
  return Array.isArray(examples) ? examples[0] : undefined
}

const plain: Readonly<Record<string, string>> = {
  200: 'OK.',
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
  204: 'Done; the response has no body.',
}

function responsesOf(route: DescribedRoute, components: Components): Operation['responses'] {
  const given: RouteResponses = { ...(route.schema.response as RouteResponses), ...route.docs.response }
  const described = Object.entries(given).map(
    ([status, response]) => [status, describe(status, response)] as const,
  )
  const all: Record<string, ResponseDocs & Partial<ErrorResponse>> = {
    ...errorResponses(route),
    ...Object.fromEntries(described),
  }
  return Object.fromEntries(
    Object.entries(all).map(([status, { component, description, content }]) => {
      const response = {
        description,
        headers: headersOf(status),
        ...(content && { content: mediaTypes(content, components, 'output') }),
      }
      if (component === undefined) return [status, response]
      components.responses[component] = response
      return [status, { $ref: `#/components/responses/${component}` }]
    }),
  )
}

type RouteResponses = Record<string, z.ZodType | ResponseDocs>

function describe(status: string, response: z.ZodType | ResponseDocs): ResponseDocs {
  if (!(response instanceof z.ZodType)) return response
  const description = response.meta()?.description ?? plain[status] ?? 'See the schema.'
  if (response instanceof z.ZodNull) return { description }
  return { description, content: { 'application/json': { schema: response } } }
}

function headersOf(status: string): object {
  const retry = status === '429' || status === '503'
  return {
    'X-Request-ID': { $ref: '#/components/headers/RequestId' },
    ...(retry && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
  }
}
