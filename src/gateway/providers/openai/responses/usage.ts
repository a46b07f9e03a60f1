import { noUsage } from '../../../wire/chunk-writer.ts'
import type { Usage } from '../../../provider.ts'
import { arrayOf, countOf, isObject, objectOf, type JsonObject } from '../../../wire/json.ts'
import { splitInput } from '../../../passthrough/usage.ts'

/** Usage of a response: the input includes what the cache held, the output includes reasoning. */
export function readResponseUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null
  if (typeof value['input_tokens'] !== 'number' && typeof value['output_tokens'] !== 'number') return null
  const input = objectOf(value['input_tokens_details'])
  const output = countOf(value['output_tokens'])
  return {
    ...noUsage,
    ...splitInput(
      countOf(value['input_tokens']),
      countOf(input['cached_tokens'] ?? input['cache_read_input_tokens']),
      countOf(input['cache_write_tokens'] ?? input['cache_creation_input_tokens']),
    ),
    output,
    reasoning: Math.min(countOf(objectOf(value['output_tokens_details'])['reasoning_tokens']), output),
  }
}

/** The same of a whole response, with the searches that OpenAI bills beside the tokens. */
export function responseUsage(response: JsonObject): Usage | null {
  const usage = readResponseUsage(response['usage'])
  const units: Record<string, number> = {}
  for (const item of arrayOf(response['output'])) {
    const unit = searchOf(objectOf(item))
    if (unit !== undefined) units[unit] = (units[unit] ?? 0) + 1
  }
  return usage && { ...usage, units }
}

/** What an item is billed as. A page that the model opens, or looks through, belongs to the search before it. */
function searchOf({ type, action }: JsonObject): string | undefined {
  if (type === 'file_search_call') return 'file_search'
  if (type !== 'web_search_call') return undefined
  return isObject(action) && action['type'] !== 'search' ? undefined : 'web_search'
}
