import type { FastifyInstance, FastifySchemaCompiler, preValidationHookHandler, RouteOptions } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { invalid, type Fault } from '#kernel/errors'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why a route takes fields in its body that it does not declare. */
    anyFields?: string
    /** Why a route takes query parameters that it does not declare. */
    anyQuery?: string
  }
}

/** A field that a body does not have is a mistake, most often of spelling, and would be ignored silently. */
export function refuseUnknownFields(schema: z.ZodType, body: unknown): Fault | undefined {
  const path = unknownIn(schema, body)
  if (path === undefined) return undefined
  const name = path.join('.').slice(0, 200).toWellFormed()
  return invalid(`"${name}" is not valid: there is no such field.`, name)
}

type Path = readonly string[]
type Def = z.core.$ZodTypes['_zod']['def']

/** The first field that the schema does not know, of a value that it accepts. */
function unknownIn(schema: z.core.$ZodType, value: unknown): Path | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { def } = schema as unknown as { def: Def }
  if (def.type === 'object')
    return firstOf(Object.entries(value), ([name, inner]) => {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall
      return field ? within(name, unknownIn(field, inner)) : [name]
    })
  if (def.type === 'record')
    return firstOf(Object.entries(value), ([name, inner]) => within(name, unknownIn(def.valueType, inner)))
  if (def.type === 'array')
    return Array.isArray(value)
      ? firstOf([...value.entries()], ([at, inner]) => within(String(at), unknownIn(def.element, inner)))
      : undefined
  if (def.type === 'union') return unknownInAll(def.options, value)
  if (def.type === 'pipe') return unknownIn(def.in, value)
  if (def.type === 'lazy') return unknownIn(def.getter(), value)
  return 'innerType' in def ? unknownIn(def.innerType, value) : undefined
}

/** Undefined where one of the forms that accept the value knows all of its fields. */
function unknownInAll(options: readonly z.core.$ZodType[], value: unknown): Path | undefined {
  const fitting = options.filter((option) => z.safeParse(option, value).success)
  const found = fitting.map((option) => unknownIn(option, value))
  return found.includes(undefined) ? undefined : found[0]
}

const within = (name: string, path: Path | undefined): Path | undefined => path && [name, ...path]

function firstOf<T>(items: readonly T[], find: (item: T) => Path | undefined): Path | undefined {
  for (const item of items) {
    const found = find(item)
    if (found) return found
  }
  return undefined
}

/** Validates by the zod schema, and a body also against fields that the schema does not have. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route)
  if (route.httpPart !== 'body') return validate
  return (body) => {
    const result = validate(body) as { value?: unknown; error?: Error }
    const error = result.error ?? refuseUnknownFields(route.schema, body)
    return error ? { error } : result
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
