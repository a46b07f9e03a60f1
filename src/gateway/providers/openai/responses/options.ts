import { invalidField } from '#kernel/errors'
import { objectOf, present, type JsonObject } from '../../../wire/json.ts'
import {
  optionalNumber,
  optionalObject,
  optionalString,
  requireObject,
  requireString,
} from '../../../wire/request-json.ts'

/** The format of the text, without the nesting of chat completions. */
export function readFormat(value: unknown): JsonObject | undefined {
  const format = optionalObject(value, 'response_format')
  if (!format) return undefined
  const type = requireString(format['type'], 'response_format.type')
  if (type !== 'json_schema') return { type }
  const path = 'response_format.json_schema'
  const definition = requireObject(format['json_schema'], path)
  return present({
    type,
    name: requireString(definition['name'], `${path}.name`),
    description: optionalString(definition['description'], `${path}.description`),
    schema: requireObject(definition['schema'], `${path}.schema`),
    strict: definition['strict'] ?? undefined,
  })
}

/** The limit by its new name, or else by its old one. */
export function readLimit(body: JsonObject): number | undefined {
  return (
    optionalNumber(body['max_completion_tokens'], 'max_completion_tokens') ??
    optionalNumber(body['max_tokens'], 'max_tokens')
  )
}

/** Web search is an option of chat completions and a tool here. */
export function searchTool(value: unknown): JsonObject | undefined {
  const options = optionalObject(value, 'web_search_options')
  if (!options) return undefined
  return present({
    type: 'web_search',
    search_context_size: optionalString(
      options['search_context_size'],
      'web_search_options.search_context_size',
    ),
    user_location: readLocation(options['user_location']),
  })
}

function readLocation(value: unknown): JsonObject | undefined {
  const location = optionalObject(value, 'web_search_options.user_location')
  if (!location) return undefined
  if (location['type'] !== 'approximate') {
    throw invalidField('web_search_options.user_location.type', 'must be approximate')
  }
  return { type: 'approximate', ...objectOf(location['approximate']) }
}
