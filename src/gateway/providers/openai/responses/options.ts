import { invalid } from '#kernel/errors'
import { objectOf } from '../../../wire/json.ts'
import type { JsonObject } from '../../../wire/json.ts'
import { expectNumber, expectObject, expectText, optional, present } from './expect.ts'

/** The format of the text, without the nesting of chat completions. */
export function readFormat(value: unknown): JsonObject | undefined {
  const format = optional(value, 'response_format', expectObject)
  if (!format) return undefined
  const type = expectText(format['type'], 'response_format.type')
  if (type !== 'json_schema') return { type }
  const path = 'response_format.json_schema'
  const definition = expectObject(format['json_schema'], path)
  return present({
    type,
    name: expectText(definition['name'], `${path}.name`),
    description: optional(definition['description'], `${path}.description`, expectText),
    schema: expectObject(definition['schema'], `${path}.schema`),
    strict: definition['strict'] ?? undefined,
  })
}

/** The limit by its new name, or else by its old one. */
export function readLimit(body: JsonObject): number | undefined {
  return (
    optional(body['max_completion_tokens'], 'max_completion_tokens', expectNumber) ??
    optional(body['max_tokens'], 'max_tokens', expectNumber)
  )
}

/** Web search is an option of chat completions and a tool here. */
export function searchTool(value: unknown): JsonObject | undefined {
  const options = optional(value, 'web_search_options', expectObject)
  if (!options) return undefined
  return present({
    type: 'web_search',
    search_context_size: optional(
      options['search_context_size'],
      'web_search_options.search_context_size',
      expectText,
    ),
    user_location: readLocation(options['user_location']),
  })
}

function readLocation(value: unknown): JsonObject | undefined {
  const location = optional(value, 'web_search_options.user_location', expectObject)
  if (!location) return undefined
  if (location['type'] !== 'approximate') {
    throw invalid(
      'web_search_options.user_location.type must be approximate.',
      'web_search_options.user_location.type',
    )
  }
  return { type: 'approximate', ...objectOf(location['approximate']) }
}
