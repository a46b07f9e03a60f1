import { invalidField } from '#kernel/errors'
import { arrayOf, isObject, objectOf, type JsonObject } from '../../wire/json.ts'
import { maxSchemaDepth, noteOf, withNote } from '../../chat/schema-note.ts'

const kept = new Set(['type', 'title', 'default', 'enum', 'const', '$ref', 'required'])
const silent = new Set(['$schema', '$id', '$comment', 'description', 'additionalProperties'])
const listed = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const named = new Set(['properties', '$defs', 'definitions'])
const formats = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '))

/**
 * A schema in the subset that structured outputs compile: closed objects, and no bounds or patterns. What is left
 * out is described to the model. Never changes the client's object.
 */
export function toStrictSchema(schema: JsonObject, path: string, depth = 0): Record<string, unknown> {
  if (depth > maxSchemaDepth) throw invalidField(path, 'is nested too deeply')
  const below = (value: unknown) =>
    isObject(value) ? toStrictSchema(value, path, depth + 1) : value === true ? {} : value
  const strict: Record<string, unknown> = {}
  const unenforced: string[] = []
  for (const [word, value] of Object.entries(schema)) {
    if (kept.has(word)) strict[word] = value
    else if (named.has(word)) {
      strict[word] = Object.fromEntries(
        Object.entries(objectOf(value)).map(([name, one]) => [name, below(one)]),
      )
    } else if (listed.has(word)) strict[word === 'oneOf' ? 'anyOf' : word] = arrayOf(value).map(below)
    else if (word === 'items') strict['items'] = below(value)
    else if (word === 'format' && formats.has(String(value))) strict['format'] = value
    else if (!silent.has(word)) unenforced.push(noteOf(word, value))
  }
  if (isObjectSchema(schema)) {
    if (isOpen(schema)) {
      throw invalidField(path, 'has an object with free property names, which cannot be enforced')
    }
    strict['additionalProperties'] = false
  }
  return { ...strict, ...withNote(schema['description'], unenforced) }
}

/** Whether the schema has an object whose property names are not all given. */
export function isOpenSchema(schema: unknown, depth = 0): boolean {
  if (Array.isArray(schema)) return schema.some((one) => isOpenSchema(one, depth + 1))
  if (!isObject(schema) || depth > maxSchemaDepth) return false
  if (isObjectSchema(schema) && isOpen(schema)) return true
  return Object.entries(schema).some(([word, value]) => {
    if (named.has(word)) return Object.values(objectOf(value)).some((one) => isOpenSchema(one, depth + 1))
    return (listed.has(word) || word === 'items') && isOpenSchema(value, depth + 1)
  })
}

function isObjectSchema(schema: JsonObject): boolean {
  const { type } = schema
  return (
    type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(schema['properties'])
  )
}

function isOpen(schema: JsonObject): boolean {
  const more = schema['additionalProperties']
  if (isObject(more)) return true
  return !isObject(schema['properties']) && more !== false
}
