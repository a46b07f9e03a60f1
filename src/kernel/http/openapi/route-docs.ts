import type { HTTPMethods } from 'fastify'
import type { z } from 'zod'
import type { Need, Role, Scope } from '#kernel/auth'
import type { faults } from '#kernel/errors'

declare module 'fastify' {
  interface FastifySchema {
    /** Leaves the route out of the API document. */
    hide?: boolean
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly string[]
  }
  interface FastifyContextConfig {
    /** The route acts in one group: a person chooses it by `group_id` or X-Group-ID. */
    inGroup?: boolean
    /** What the API document says beyond the schema that Fastify applies. */
    docs?: RouteDocs
  }
}

export type FaultName = keyof typeof faults

export interface MediaDocs {
  schema: z.ZodType
  /** Needed where the schema has no example of its own. */
  example?: unknown
  examples?: Readonly<Record<string, { summary: string; value: unknown }>>
}

export interface ResponseDocs {
  description: string
  /** By media type; without it the response has no body. */
  content?: Readonly<Record<string, MediaDocs>>
}

/** Described, but neither validated nor serialized by Fastify. */
export interface RouteDocs {
  params?: z.ZodObject
  querystring?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType | Readonly<Record<string, MediaDocs>>
  /** Media types of the body, where JSON is not the only one. */
  bodyTypes?: readonly string[]
  /** A POST, PUT or PATCH that takes no body has to say so. */
  noBody?: boolean
  response?: Readonly<Record<number | `${number}XX`, z.ZodType | ResponseDocs>>
  /** Errors of this route besides those that follow from its needs and its shape. */
  errors?: readonly FaultName[]
  /** The body of every error, where it differs from the rest of the API. */
  errorBody?: MediaDocs
}

/** A route as it was registered. */
export interface DescribedRoute {
  method: HTTPMethods
  url: string
  needs: Need
  keyNeeds: Scope | undefined
  keyOnly: boolean
  roles: readonly Role[] | undefined
  inGroup: boolean
  schema: {
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly string[]
    params?: unknown
    querystring?: unknown
    headers?: unknown
    body?: unknown
    response?: unknown
  }
  docs: RouteDocs
}
