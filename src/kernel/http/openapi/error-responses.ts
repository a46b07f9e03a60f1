import { z } from 'zod'
import { faults } from '#kernel/errors'
import type { DescribedRoute, FaultName, MediaDocs, ResponseDocs } from './route-docs.ts'

export const errorBody = z
  .object({
    error: z.object({
      message: z.string().meta({ description: 'What happened and what to do next, for people.' }),
      type: z.string().meta({ description: 'The family of the error.' }),
      param: z.string().nullable().meta({ description: 'The field that is not valid, if one is.' }),
      code: z.string().meta({ description: 'The kind of error, for programs. See docs/errors.md.' }),
      sqlstate: z.string().optional().meta({ description: 'With `sql_error`: the code of PostgreSQL.' }),
      position: z
        .int()
        .nullable()
        .optional()
        .meta({ description: 'With `sql_error`: the place in the text, a character index from 0.' }),
      upstream: z
        .object({
          status: z.int(),
          type: z.string().nullable(),
          code: z.string().nullable(),
          param: z.string().nullable(),
          details: z.unknown(),
        })
        .optional()
        .meta({ description: 'What the provider said of the error, where it sent a structured one.' }),
      limit: z
        .object({
          id: z.uuid(),
          subject: z.object({ type: z.string(), id: z.string().nullable() }),
          metric: z.string(),
          amount: z.union([z.string(), z.number()]),
          used: z.union([z.string(), z.number()]),
          resets_at: z.string().nullable(),
        })
        .meta({
          examples: [
            {
              id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
              subject: { type: 'group', id: null },
              metric: 'requests',
              amount: 1000,
              used: 1000,
              resets_at: '2026-11-16T10:00:00.000Z',
            },
          ],
        })
        .optional()
        .meta({ description: 'With `limit_exceeded` and `budget_exceeded`: the limit of the group.' }),
    }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' })

const descriptions: Readonly<Record<FaultName, string>> = {
  invalidRequest: 'The request is not valid; `param` names the field.',
  noProviderKey: 'The group has no usable key for the provider.',
  previousResponseNotFound: 'The response that the request continues is not known here.',
  websocketLimit: 'The WebSocket connection has reached its longest time.',
  sqlError: 'PostgreSQL refused the statement.',
  invalidApiKey: 'The API key is missing, unknown, expired or revoked.',
  notAuthenticated: 'No session and no API key.',
  forbidden: 'The scope, the role, the address or the origin does not allow this.',
  modelNotAllowed: 'The API key may not use the model.',
  policyViolation: 'A policy of the group does not allow this.',
  modelNotFound: 'No provider serves the model.',
  notFound: 'It does not exist in your groups.',
  methodNotAllowed: 'The path does not take this method.',
  requestTimeout: 'The request did not arrive in time.',
  conflict: 'It conflicts with something that exists.',
  requestTooLarge: 'The body exceeds the limit.',
  unsupportedMediaType: 'The content type is not supported.',
  rateLimit: 'Too many requests; retry after the time in `Retry-After`.',
  limitExceeded: 'A limit of the group is reached; `error.limit` says which.',
  budgetExceeded: 'A budget of the group is spent; `error.limit` says which.',
  internal: 'An error in Signalbox; report the request ID.',
  provider: 'The provider failed or returned something unusable.',
  unavailable: 'A dependency is unavailable; retry after the time in `Retry-After`.',
  providerTimeout: 'The provider did not respond in time.',
}

export interface ErrorResponse extends ResponseDocs {
  /** Routes with the same errors share one response in the document; undefined where the body is their own. */
  component: string | undefined
}

/** The error responses of a route, by status. */
export function errorResponses(route: DescribedRoute): Record<string, ErrorResponse> {
  const { errorBody: ownBody } = route.docs
  const byStatus = Map.groupBy(faultsOf(route), (name) => faults[name].status)
  const ofRoute = Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const description = names.map((name) => `\`${faults[name].code}\`: ${descriptions[name]}`).join(' ')
      const media = ownBody ?? defaultBody(names[0] ?? 'internal')
      const component = ownBody ? undefined : names.toSorted().map(capitalized).join('Or')
      return [status, { component, description, content: { 'application/json': media } }]
    }),
  )
  return { ...ofRoute, 431: headersTooLarge }
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function defaultBody(name: FaultName): MediaDocs {
  const { type, code } = faults[name]
  const param = name === 'invalidRequest' ? 'name' : null
  return { schema: errorBody, example: { error: { message: descriptions[name], type, param, code } } }
}

/** Refused before a route is known, so that the body is the same everywhere. */
const headersTooLarge: ErrorResponse = {
  component: 'HeadersTooLarge',
  description: '`invalid_request`: The address and the headers together exceed 16 KiB.',
  content: { 'application/json': defaultBody('invalidRequest') },
}

function faultsOf({ method, url, needs, keyOnly, inGroup, docs }: DescribedRoute): Set<FaultName> {
  // A body that the route does not ask for is read all the same.
  const takesBody = method !== 'GET'
  const names = new Set<FaultName>(docs.errors)
  const add = (applies: boolean, ...more: FaultName[]): void => {
    if (applies) for (const name of more) names.add(name)
  }
  // What is not valid HTTP is refused on every path.
  add(true, 'invalidRequest')
  add(needs !== 'anyone', 'invalidApiKey')
  add(needs !== 'anyone' && needs !== 'page' && !keyOnly, 'notAuthenticated')
  add(needs !== 'anyone', 'forbidden')
  add(inGroup || /[:*]/.test(url), 'notFound')
  add(takesBody, 'requestTooLarge', 'unsupportedMediaType')
  add((needs === 'anyone' || needs === 'page') && url.startsWith('/api/'), 'rateLimit')
  add(true, 'internal')
  add(needs !== 'anyone' || takesBody, 'unavailable')
  return names
}
