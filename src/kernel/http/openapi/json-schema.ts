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

/** What operations share: named schemas, those whose `meta` has an `id`, and responses. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly responses: Record<string, object> = {}
  /** Most operations have the same errors. */
  readonly #converted = {
    input: new Map<z.ZodType, JsonSchema>(),
    body: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  }

  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const known = this.#converted[direction].get(schema)
    if (known) return known
    const made = this.#convert(schema, direction)
    this.#converted[direction].set(schema, made)
    return made
  }

  #convert(schema: z.ZodType, direction: Direction): JsonSchema {
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
    for (const [name, named] of Object.entries($defs)) this.#add(name, named as JsonSchema)
    return withComponentRefs(json as JsonSchema)
  }

  resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.replace('#/components/schemas/', '')
    return name === undefined ? schema : (this.schemas[name] ?? {})
  }

  #add(name: string, { id: _id, ...given }: JsonSchema): void {
    const schema = withComponentRefs(given)
    const known = this.schemas[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`The API document has two different schemas named ${name}`)
    this.schemas[name] = schema
  }
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
