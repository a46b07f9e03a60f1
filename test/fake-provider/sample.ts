import { isObject, arrayOf, numberOf, objectOf, stringOf } from './json.ts'
import type { JsonObject } from './json.ts'

const formats: Record<string, string> = {
  'date-time': '2026-11-15T12:00:00Z',
  date: '2026-11-15',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'someone@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A value that satisfies a JSON Schema of the simple kind; strings name their property. */
export function sample(schema: unknown, hint = 'value', root: unknown = schema, depth = 0): unknown {
  if (!isObject(schema) || depth > 12) return null
  if (typeof schema['$ref'] === 'string') return sample(resolve(schema['$ref'], root), hint, root, depth + 1)
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const variant = arrayOf(schema['anyOf'] ?? schema['oneOf'])[0]
  if (variant !== undefined) return sample(variant, hint, root, depth + 1)
  if (Array.isArray(schema['allOf'])) {
    const parts = schema['allOf'].map((part) => sample(part, hint, root, depth + 1))
    return parts.every(isObject) ? Object.assign({}, ...parts) : parts[0]
  }
  return sampleType(schema, hint, root, depth)
}

function sampleType(schema: JsonObject, hint: string, root: unknown, depth: number): unknown {
  const declared = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  const type = stringOf(declared).toLowerCase() || (schema['properties'] === undefined ? 'string' : 'object')
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(objectOf(schema['properties'])).map(([name, property]) => [
          name,
          sample(property, name, root, depth + 1),
        ]),
      )
    case 'array':
      return Array.from({ length: Math.max(1, numberOf(schema['minItems']) ?? 1) }, () =>
        sample(schema['items'] ?? { type: 'string' }, hint, root, depth + 1),
      )
    case 'integer':
    case 'number':
      return numberOf(schema['minimum']) ?? Math.min(1, numberOf(schema['maximum']) ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return formats[stringOf(schema['format'])] ?? sampleText(hint, schema)
  }
}

function sampleText(hint: string, schema: JsonObject): string {
  const text = hint.padEnd(numberOf(schema['minLength']) ?? 0, '.')
  return text.slice(0, numberOf(schema['maxLength']) ?? text.length)
}

function resolve(reference: string, root: unknown): unknown {
  return reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .reduce<unknown>((at, step) => objectOf(at)[step], root)
}
