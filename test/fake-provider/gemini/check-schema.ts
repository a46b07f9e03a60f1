import { isObject, objectOf, objectsOf } from '../json.ts'
import { refuse, refuseField } from './fault.ts'

/** The JSON Schema words that `responseJsonSchema` and `parametersJsonSchema` understand. */
const jsonSchemaWords = new Set(
  `$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum
  maximum anyOf oneOf properties additionalProperties required propertyOrdering`.split(/\s+/),
)

/** The words of the older OpenAPI subset, in `responseSchema` and `parameters`. */
const openApiWords = new Set(
  `type format title description nullable enum items minItems maxItems minLength maxLength pattern minimum
  maximum anyOf properties minProperties maxProperties required propertyOrdering default example`.split(
    /\s+/,
  ),
)

export function checkJsonSchema(schema: unknown, at: string): void {
  walk(schema, (node) => {
    for (const word of Object.keys(node)) {
      if (!jsonSchemaWords.has(word))
        refuse(`* GenerateContentRequest.${at}: unsupported schema keyword '${word}'.\n`)
    }
    const siblings = Object.keys(node).some((word) => !word.startsWith('$'))
    if ('$ref' in node && siblings) {
      refuse(`* GenerateContentRequest.${at}: a schema with $ref may not have other keywords.\n`)
    }
  })
}

export function checkOpenApiSchema(schema: unknown, at: string): void {
  walk(schema, (node) => {
    for (const word of Object.keys(node)) if (!openApiWords.has(word)) refuseField(word, at)
    if (Array.isArray(node['type'])) {
      refuse(`Proto field is not repeating, cannot start list at '${at}.type'.`)
    }
    const empty = isObject(node['properties']) && Object.keys(node['properties']).length === 0
    if (empty && String(node['type']).toUpperCase() === 'OBJECT') {
      refuse(`* GenerateContentRequest.${at}.properties: should be non-empty for OBJECT type\n`)
    }
  })
}

function walk(schema: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (!isObject(schema)) return
  visit(schema)
  const children = [
    ...Object.values(objectOf(schema['properties'])),
    ...Object.values(objectOf(schema['$defs'])),
    ...objectsOf(schema['anyOf']),
    ...objectsOf(schema['oneOf']),
    ...objectsOf(schema['prefixItems']),
    schema['items'],
    schema['additionalProperties'],
  ]
  for (const child of children) walk(child, visit)
}
