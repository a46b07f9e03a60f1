import { maxSchemaDepth } from '../../chat/schema-note.ts'
import { arrayOf, isObject, objectOf } from '../../wire/json.ts'

/**
 * Whether a schema can be enforced where strict schemas are the rule of chat completions: every object closed, and
 * all its properties required. The Messages API also allows optional properties.
 */
export function isClosedSchema(schema: unknown, depth = 0): boolean {
  if (depth > maxSchemaDepth) return false
  if (Array.isArray(schema)) return schema.every((one) => isClosedSchema(one, depth + 1))
  if (!isObject(schema)) return true
  const { properties, required } = schema
  if (schema['type'] === 'object' || isObject(properties)) {
    if (schema['additionalProperties'] !== false) return false
    const names = arrayOf(required)
    if (Object.keys(objectOf(properties)).some((name) => !names.includes(name))) return false
  }
  const inner = [schema['items'], schema['anyOf'], schema['allOf'], schema['oneOf']]
  const named = [properties, schema['$defs'], schema['definitions']].flatMap((each) =>
    Object.values(objectOf(each)),
  )
  return [...inner, ...named].every((each) => isClosedSchema(each, depth + 1))
}
