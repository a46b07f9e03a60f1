import { isObject, objectOf, objectsOf } from '../json.ts'
import { refuse } from './fault.ts'

const unsupported = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'not',
  'if',
  'patternProperties',
]

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']

/** Structured outputs and strict tools compile the schema and refuse what they cannot enforce. */
export function checkStrictSchema(path: string, schema: unknown): void {
  if (!isObject(schema)) return
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'object'
  for (const keyword of unsupported) {
    if (keyword in schema) refuse(`${path}: For '${type}' type, property '${keyword}' is not supported`)
  }
  if ('oneOf' in schema) refuse(`${path}: Schema type 'oneOf' is not supported`)
  if (typeof schema['format'] === 'string' && !formats.includes(schema['format'])) {
    refuse(`${path}: String format '${schema['format']}' is not supported`)
  }
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) {
    refuse(`${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`)
  }
  for (const property of Object.values(objectOf(schema['properties']))) checkStrictSchema(path, property)
  for (const definition of Object.values(objectOf(schema['$defs']))) checkStrictSchema(path, definition)
  for (const variant of objectsOf(schema['anyOf'])) checkStrictSchema(path, variant)
  for (const part of objectsOf(schema['allOf'])) checkStrictSchema(path, part)
  checkStrictSchema(path, schema['items'])
}
