import type { FastifyInstance, preValidationHookHandler, RouteOptions } from 'fastify'
import { z } from 'zod'
import { invalid } from '#kernel/errors'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why a route takes query parameters that it does not declare. */
    anyQuery?: string
  }
}

/**
 * A parameter that a route does not know is a mistake, most often of spelling, and would be ignored silently. Pages
 * take what links add to them, and clients of the gateway add what their own provider knows, such as `?beta=true`.
 */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { needs, keyOnly, anyQuery } = route.config ?? {}
    if (needs === 'page' || keyOnly || anyQuery !== undefined) return
    route.preValidation = [checkOf(route), ...[route.preValidation ?? []].flat()]
  })
}

/** The names are read from the schema when they are first needed: most routes are never called with a parameter. */
function checkOf({ schema, config }: RouteOptions): preValidationHookHandler {
  let known: ReadonlySet<string> | undefined
  return (request, _reply, done) => {
    const given = Object.keys(request.query as object)
    if (given.length === 0) return done()
    known ??= new Set(['group_id', ...namesIn(schema?.querystring ?? config?.docs?.querystring)])
    const unknown = given.find((name) => !known?.has(name))
    if (unknown === undefined) return done()
    const name = unknown.slice(0, 100)
    done(invalid(`"${name}" is not valid: there is no such parameter.`, name))
  }
}

function namesIn(schema: unknown): string[] {
  if (!(schema instanceof z.ZodType)) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}
