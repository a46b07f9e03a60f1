import type { ApiDocument } from '#kernel/http'

/** Where a value is in a body; empty for the body itself. */
export type Target = readonly (string | number)[]

type Schema = ApiDocument['components']['schemas'][string]

const maxDepth = 5

/** Every field that a body may have, however deep, as far as the schema names it. */
export function targetsIn(document: ApiDocument, schema: Schema): Target[] {
  const seen = new Map<string, Target>()
  visit(document, schema, [], (target) => seen.set(JSON.stringify(target), target))
  return [...seen.values()]
}

function visit(document: ApiDocument, given: Schema, at: Target, found: (target: Target) => void): void {
  found(at)
  if (at.length >= maxDepth) return
  const schema = resolve(document, given)
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    visit(document, one, at, found)
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    visit(document, property, [...at, name], found)
  if (schema.items) visit(document, schema.items, [...at, 0], found)
  if (typeof schema['additionalProperties'] === 'object' && schema['additionalProperties'] !== null)
    visit(document, schema['additionalProperties'] as Schema, [...at, 'any_name'], found)
}

function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** The value as JSON, with other JSON in one place of it; what is missing on the way there is made. */
export function writeWith(value: unknown, target: Target, json: string): string {
  const [step, ...rest] = target
  if (step === undefined) return json
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? (value as unknown[]) : []
    const first = writeWith(items[0], rest, json)
    return `[${[first, ...items.slice(1).map((item) => JSON.stringify(item))].join()}]`
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const others = Object.entries(object).filter(([name, other]) => name !== step && other !== undefined)
  const inner = writeWith((object as Record<string, unknown>)[step], rest, json)
  return `{${[...others.map(([name, other]) => `${JSON.stringify(name)}:${JSON.stringify(other)}`), `${JSON.stringify(step)}:${inner}`].join()}}`
}
