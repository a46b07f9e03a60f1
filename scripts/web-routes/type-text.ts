/** As much of JSON Schema as the API document has. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
}

/** What is sent may be a list that its owner does not let others change. */
export type Direction = 'sent' | 'received'

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** The TypeScript type of a schema, on one line. */
export function typeText(schema: JsonSchema, direction: Direction): string {
  const inner = (each: JsonSchema): string => typeText(each, direction)
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  // A text may have several forms; all of them are texts.
  const plain = typeof schema.type === 'string' ? simple[schema.type] : undefined
  if (plain !== undefined) return plain
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionText(choices.map(inner))
  if (schema.allOf) return schema.allOf.map((each) => `(${inner(each)})`).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return arrayText(schema, direction)
  if (schema.type === 'object') return objectText(schema, direction)
  return 'unknown'
}

/** A text may be any; then it says nothing that it may be empty, too. */
function unionText(types: readonly string[]): string {
  const isAny = types.includes('string')
  return [...new Set(types)].filter((type) => !isAny || !type.startsWith('"')).join(' | ')
}

function arrayText({ items = {}, prefixItems }: JsonSchema, direction: Direction): string {
  const fixed = direction === 'sent' ? 'readonly ' : ''
  if (prefixItems) return `${fixed}[${prefixItems.map((each) => typeText(each, direction)).join(', ')}]`
  const item = typeText(items, direction)
  return `${fixed}${/^[\w.]+$/.test(item) ? item : `(${item})`}[]`
}

function objectText(schema: JsonSchema, direction: Direction): string {
  const { properties = {}, required = [], additionalProperties: others, propertyNames } = schema
  const fields = Object.entries(properties).map(([name, property]) => {
    const text = typeText(property, direction)
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    if (required.includes(name)) return `${key}: ${text}`
    return `${key}?: ${text === 'unknown' ? text : `${text} | undefined`}`
  })
  const other = typeof others === 'object' ? typeText(others, direction) : 'unknown'
  if (fields.length > 0)
    return `{ ${[...fields, ...(others ? ['[name: string]: unknown'] : [])].join('; ')} }`
  if (others === false) return 'Record<string, never>'
  const names = propertyNames?.enum && typeText(propertyNames, direction)
  if (names === undefined) return `Record<string, ${other}>`
  return required.length > 0 ? `Record<${names}, ${other}>` : `Partial<Record<${names}, ${other}>>`
}
