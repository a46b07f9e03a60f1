import { invalidField } from '#kernel/errors'
import { isAbsent, isObject, present, type JsonObject } from '../../wire/json.ts'
import { optionalArray, optionalObject, optionalString } from '../../wire/request-json.ts'

/** Filters that were fields of the retired API and belong to the search tool now. */
const filters = [
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
]

export const searchFields = [
  ...filters,
  'search_domain_filter',
  'web_search_options',
  'disable_search',
  'search_mode',
  'return_images',
  'return_related_questions',
]

/** The web search tool with the client's settings; undefined when the client gave none. */
export function readSearch(body: JsonObject): JsonObject | undefined {
  const path = 'web_search_options'
  const options = optionalObject(body[path], path) ?? {}
  const chosen = present({
    search_domain_filter: optionalArray(body['search_domain_filter'], 'search_domain_filter'),
    ...Object.fromEntries(filters.map((name) => [name, optionalString(body[name], name)])),
  })
  const settings = present({
    search_context_size: optionalString(options['search_context_size'], `${path}.search_context_size`),
    filters: Object.keys(chosen).length > 0 ? chosen : undefined,
    user_location: readLocation(options['user_location'], `${path}.user_location`),
  })
  const isAsked = !isAbsent(body[path]) || Object.keys(settings).length > 0
  return isAsked ? { type: 'web_search', ...settings } : undefined
}

/** OpenAI nests an approximate location, the retired API did not. */
function readLocation(value: unknown, path: string): JsonObject | undefined {
  const location = optionalObject(value, path)
  if (!location) return undefined
  const { type: _type, ...place } = isObject(location['approximate']) ? location['approximate'] : location
  return place
}

/** Fields of the retired API that change the response and have no counterpart. */
export function refuseUnsupportedSearch(body: JsonObject): void {
  for (const field of ['return_images', 'return_related_questions']) {
    if (!isAbsent(body[field]) && body[field] !== false) throw unsupported(field)
  }
  if (!isAbsent(body['search_mode']) && body['search_mode'] !== 'web') throw unsupported('search_mode')
}

function unsupported(field: string) {
  return invalidField(field, "is not supported by Perplexity's Agent API")
}
