import { z } from 'zod'

/** As much of JSON Schema 2020-12 as the document is read and written with. */
export interface JsonSchema {
  [keyword: string]: unknown
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
}

/** What the caller sends, what it sends as a body that may have no other fields, or what the server returns. */
export type Direction = 'input' | 'body' | 'output'

interface Converted {
  json: JsonSchema
  /** The named schemas that it refers to. */
  named: Record<string, JsonSchema>
}

/** Most operations have the same errors, and schemas never change: each is converted once. */
const converted = {
  input: new WeakMap<z.ZodType, Converted>(),
  body: new WeakMap<z.ZodType, Converted>(),
  output: new WeakMap<z.ZodType, Converted>(),
}

/** What operations share: named schemas, those whose `meta` has an `id`, and responses. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly responses: Record<string, object> = {}

  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const known = converted[direction].get(schema) ?? convert(schema, direction)
    converted[direction].set(schema, known)
    for (const [name, named] of Object.entries(known.named)) this.#add(name, named)
    return known.json
  }

  resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.replace('#/components/schemas/', '')
    return name === undefined ? schema : (this.schemas[name] ?? {})
  }

  #add(name: string, schema: JsonSchema): void {
    const known = this.schemas[name]
    if (known && known !== schema && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`The API document has two different schemas named ${name}`)
    this.schemas[name] ??= schema
  }
}

function convert(schema: z.ZodType, direction: Direction): Converted {
  const {
    $schema: _version,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: direction === 'output' ? 'output' : 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }) => {
      simplify(jsonSchema as JsonSchema, direction)
      if (direction === 'body' && zodSchema instanceof z.ZodObject && !zodSchema.def.catchall)
        jsonSchema.additionalProperties = false
    },
  })
  const named = Object.entries($defs as Record<string, JsonSchema>).map(
    ([name, { id: _id, ...each }]) => [name, withComponentRefs(each)] as const,
  )
  return { json: withComponentRefs(json as JsonSchema), named: Object.fromEntries(named) }
}

/** Responses are read by people: what a format says needs no pattern beside it. */
function simplify(schema: JsonSchema, direction: Direction): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  if (direction === 'output' && schema.format !== undefined) delete schema['pattern']
}

function withComponentRefs<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withComponentRefs) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : withComponentRefs(inner),
    ]),
  ) as T
}
