import type { ModelInfo } from '../provider.ts'
import { isObject, listOf, objectOf, textOf } from '../wire/json.ts'
import type { JsonObject } from '../wire/json.ts'

/** The entries of a model list, each with an id. */
export function listedModels(body: unknown): JsonObject[] {
  const entries = Array.isArray(body) ? body : listOf(objectOf(body)['data'])
  return entries.filter(isObject).filter((entry) => textOf(entry['id']) !== '')
}

/** What a list in OpenAI's form says: hardly more than the name. */
export function describeModel(entry: JsonObject, id: string, owner: string): ModelInfo {
  return {
    id,
    created: wholeOf(entry['created']),
    ownedBy: textOf(entry['owned_by']) || owner,
    name: textOf(entry['name']) || null,
    contextLength: wholeOf(entry['context_length'] ?? entry['context_window'] ?? entry['max_model_len']),
    maxOutput: wholeOf(entry['max_completion_tokens'] ?? entry['max_output_tokens']),
    inputPrice: null,
    outputPrice: null,
    cacheReadPrice: null,
    cacheWritePrice: null,
    requestPrice: null,
    capabilities: [],
  }
}

export function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : null
}
