import type { Components, JsonSchema } from './json-schema.ts'

/** Formats explain themselves; every other string or number needs an example in its schema. */
const ofFormat: Readonly<Record<string, unknown>> = {
  uuid: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  'date-time': '2026-11-16T09:30:00.000Z',
  date: '2026-11-16',
  email: 'ada@example.com',
  uri: 'https://signalbox.example.com',
}

/** The example of a schema: its own, or one made of its fields' examples. Undefined where a field has none. */
export function exampleOf(given: JsonSchema, components: Components): unknown {
  if (given.examples) return given.examples[0]
  const schema = components.resolve(given)
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const choices = schema.anyOf ?? schema.oneOf
  if (choices?.[0]) return exampleOf(choices[0], components)
  if (schema.format !== undefined) return ofFormat[schema.format]
  if (schema.type === 'object') return ofObject(schema, components)
  if (schema.type === 'array') return ofArray(schema, components)
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : undefined
}

function ofObject({ properties = {} }: JsonSchema, components: Components): unknown {
  const entries = Object.entries(properties).map(
    ([name, property]) => [name, exampleOf(property, components)] as const,
  )
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

function ofArray({ items, prefixItems }: JsonSchema, components: Components): unknown {
  const values = (prefixItems ?? (items ? [items] : [])).map((item) => exampleOf(item, components))
  return values.includes(undefined) ? undefined : values
}
