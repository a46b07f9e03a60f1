import { invalidField } from '#kernel/errors'
import { arrayOf, isObject, objectOf, type JsonObject } from '../../wire/json.ts'
import { maxSchemaDepth, noteOf, withNote } from '../../chat/schema-note.ts'

type Schema = Record<string, unknown>

const kept = new Set(
  `$id $anchor type format title minItems maxItems minimum maximum required propertyOrdering`.split(' '),
)
const silent = new Set('$schema $comment description default examples example nullable'.split(' '))

/** More than any real schema needs. */
const maxSteps = 50_000

/** Rewrites JSON Schema into the keywords that Gemini reads. Never changes the client's object. */
export function toGeminiSchema(schema: JsonObject, path: string): Schema {
  return new SchemaWriter(schema, path).write(schema, 0)
}

class SchemaWriter {
  readonly #root: JsonObject
  readonly #path: string
  #work = 0

  constructor(root: JsonObject, path: string) {
    this.#root = root
    this.#path = path
  }

  write(given: JsonObject, depth: number): Schema {
    this.#guard(depth)
    const schema = this.#merged(given, depth)
    // Beside a reference no other word is allowed.
    if (typeof schema['$ref'] === 'string') return this.#reference(schema, depth)
    const out: Schema = {}
    const unenforced: string[] = []
    for (const [word, value] of Object.entries(schema)) {
      if (kept.has(word)) out[word] = value
      else if (!this.#writeNested(out, word, value, depth) && !silent.has(word))
        unenforced.push(noteOf(word, value))
    }
    Object.assign(out, withNote(schema['description'], unenforced))
    return withNull(out, schema)
  }

  #writeNested(out: Schema, word: string, value: unknown, depth: number): boolean {
    const below = (one: unknown) => (isObject(one) ? this.write(one, depth + 1) : {})
    switch (word) {
      case 'properties':
        out['properties'] = this.#named(value, depth)
        return true
      case '$defs':
      case 'definitions':
        out['$defs'] = { ...objectOf(out['$defs']), ...this.#named(value, depth) }
        return true
      case 'items':
        // A list of schemas is the older way to write a tuple.
        if (Array.isArray(value)) out['prefixItems'] = value.map(below)
        else if (isObject(value)) out['items'] = below(value)
        return true
      case 'additionalProperties':
        out[word] = isObject(value) ? below(value) : value
        return true
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        out[word] = arrayOf(value).map(below)
        return true
      case 'enum':
        return writeEnum(out, arrayOf(value))
      case 'const':
        return writeEnum(out, [value])
      default:
        return false
    }
  }

  #named(value: unknown, depth: number): Schema {
    const entries = Object.entries(objectOf(value))
    return Object.fromEntries(
      entries.map(([name, one]) => [name, isObject(one) ? this.write(one, depth + 1) : {}]),
    )
  }

  #reference(schema: JsonObject, depth: number): Schema {
    const reference = { $ref: String(schema['$ref']).replace(/^#\/definitions\//, '#/$defs/') }
    const definitions = { ...objectOf(schema['definitions']), ...objectOf(schema['$defs']) }
    if (Object.keys(definitions).length === 0) return reference
    return { ...reference, $defs: this.#named(definitions, depth) }
  }

  /** Folds `allOf` into the schema itself; references in it are looked up, since they could not stand beside others. */
  #merged(schema: JsonObject, depth: number): JsonObject {
    const parts = arrayOf(schema['allOf']).filter(isObject)
    if (parts.length === 0) return schema
    this.#guard(depth)
    const { allOf: _, ...own } = schema
    if (parts.length === 1 && Object.keys(own).every((word) => word === 'description')) return parts[0] ?? own
    return parts.reduce<JsonObject>((whole, part) => {
      const found = typeof part['$ref'] === 'string' ? this.#lookUp(part['$ref']) : part
      return join(whole, this.#merged(found, depth + 1))
    }, own)
  }

  /** References in `allOf` may go in circles and branch on the way. */
  #guard(depth: number): void {
    this.#work += 1
    if (depth <= maxSchemaDepth && this.#work <= maxSteps) return
    throw invalidField(this.#path, 'is nested too deeply or refers to itself')
  }

  #lookUp(reference: string): JsonObject {
    if (!reference.startsWith('#/')) return {}
    const steps = reference.slice(2).split('/')
    return objectOf(steps.reduce<unknown>((at, step) => objectOf(at)[step], this.#root))
  }
}

function join(whole: JsonObject, part: JsonObject): JsonObject {
  const properties = { ...objectOf(whole['properties']), ...objectOf(part['properties']) }
  const required = [...new Set([...arrayOf(whole['required']), ...arrayOf(part['required'])])]
  return {
    ...part,
    ...whole,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Only strings and numbers can be enumerated; null becomes a type, anything else goes into the description. */
function writeEnum(out: Schema, values: readonly unknown[]): boolean {
  const plain = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  const hasNull = values.includes(null)
  if (plain.length + (hasNull ? 1 : 0) < values.length) return false
  if (plain.length > 0) out['enum'] = plain
  else out['type'] = 'null'
  return true
}

/** A null in an enumeration, or OpenAPI's `nullable`, as an alternative beside the schema. */
function withNull(out: Schema, schema: JsonObject): Schema {
  const isNullable = schema['nullable'] === true || (arrayOf(schema['enum']).includes(null) && 'enum' in out)
  if (!isNullable || out['type'] === 'null') return out
  const { description, ...rest } = out
  if (Array.isArray(rest['type'])) rest['type'] = rest['type'].filter((type) => type !== 'null')
  const types = arrayOf(rest['type'])
  if (types.length === 1) rest['type'] = types[0]
  return { anyOf: [rest, { type: 'null' }], ...(description === undefined ? {} : { description }) }
}
