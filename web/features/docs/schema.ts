import type { OpenApi, Schema } from './openapi.ts'

export interface SchemaRow {
  name: string
  type: string
  required: boolean
  description: string
  /** How deep it lies, for the indent. */
  depth: number
}

const deepest = 5

function resolve(schema: Schema, document: OpenApi): Schema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace('#/components/schemas/', '')
  const target = document.components?.schemas?.[name]
  return target
    ? { ...target, ...(schema.description === undefined ? {} : { description: schema.description }) }
    : {}
}

/** The fields of an object, or of the objects in a list, one row each, with those inside them below. */
export function rowsOf(schema: Schema, document: OpenApi, depth = 0): SchemaRow[] {
  const whole = merged(schema, document)
  if (depth > deepest) return []
  if (whole.items) return rowsOf(whole.items, document, depth)
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => {
    const field = merged(property, document)
    const row = {
      name,
      type: typeName(property, document),
      required: whole.required?.includes(name) ?? false,
      description: field.description ?? '',
      depth,
    }
    return [row, ...rowsOf(field, document, depth + 1)]
  })
}

/** The type in a few words: `string (uuid)`, `list of gateway | read`, `string or null`. */
export function typeName(schema: Schema, document: OpenApi): string {
  const whole = resolve(schema, document)
  const orNull = (text: string) => (whole.nullable === true ? `${text} or null` : text)
  const variants = whole.anyOf ?? whole.oneOf
  if (variants) return [...new Set(variants.map((variant) => typeName(variant, document)))].join(' or ')
  if (whole.const !== undefined) return JSON.stringify(whole.const)
  if (whole.enum) return orNull(whole.enum.map(String).join(' | '))
  if (whole.items) return orNull(`list of ${typeName(whole.items, document)}`)
  if (typeof whole.additionalProperties === 'object')
    return orNull(`map of ${typeName(whole.additionalProperties, document)}`)
  if (whole.allOf || whole.properties) return orNull('object')
  const plain = Array.isArray(whole.type) ? whole.type.join(' or ') : (whole.type ?? 'any')
  return orNull(whole.format === undefined ? plain : `${plain} (${whole.format})`)
}

/** Follows the reference, lays the parts of `allOf` over each other, and looks through "or null". */
function merged(schema: Schema, document: OpenApi): Schema {
  const whole = resolve(schema, document)
  const described = whole.description === undefined ? {} : { description: whole.description }
  const variants = (whole.anyOf ?? whole.oneOf)?.filter((variant) => variant.type !== 'null')
  if (variants?.length === 1 && variants[0]) return { ...merged(variants[0], document), ...described }
  if (!whole.allOf) return whole
  const parts = whole.allOf.map((part) => merged(part, document))
  return {
    ...whole,
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
    required: parts.flatMap((part) => part.required ?? []),
  }
}

/** A value that fits the schema, for the examples. Of optional fields only those that have an example of their own. */
export function exampleOf(schema: Schema, document: OpenApi, depth = 0): unknown {
  const whole = merged(schema, document)
  const given = whole.example ?? whole.default ?? whole.const ?? whole.enum?.[0]
  if (given !== undefined) return given
  if (depth > deepest) return null
  if (whole.properties)
    return Object.fromEntries(
      Object.entries(whole.properties)
        .filter(([name, field]) => whole.required?.includes(name) || field.example !== undefined)
        .map(([name, field]) => [name, exampleOf(field, document, depth + 1)]),
    )
  if (whole.items) return [exampleOf(whole.items, document, depth + 1)]
  const [first] = whole.anyOf ?? whole.oneOf ?? []
  if (first) return exampleOf(first, document, depth + 1)
  return plainExample(whole)
}

function plainExample({ type, format }: Schema): unknown {
  const [kind] = Array.isArray(type) ? type : [type]
  if (kind === 'integer' || kind === 'number') return 1
  if (kind === 'boolean') return true
  if (kind === 'object') return {}
  if (kind === 'null') return null
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (format === 'date-time') return '2030-01-01T00:00:00Z'
  if (format === 'email') return 'name@example.com'
  return 'text'
}
