import type { ModelInfo } from '../provider.ts'
import { arrayOf, isObject, objectOf, statedCount, stringOf, type JsonObject } from '../wire/json.ts'

/** The entries of a model list, each with an id. */
export function listedModels(body: unknown): JsonObject[] {
  const entries = Array.isArray(body) ? body : arrayOf(objectOf(body)['data'])
  return entries.filter(isObject).filter((entry) => stringOf(entry['id']) !== '')
}

/** A model as OpenAI's list describes it: hardly more than the name. */
export function describeModel(entry: JsonObject, id: string, owner: string): ModelInfo {
  return {
    id,
    created: limitOf(entry['created']),
    ownedBy: stringOf(entry['owned_by']) || owner,
    name: stringOf(entry['name']) || null,
    contextLength: limitOf(entry['context_length'] ?? entry['context_window'] ?? entry['max_model_len']),
    maxOutput: limitOf(entry['max_completion_tokens'] ?? entry['max_output_tokens']),
    inputPrice: null,
    outputPrice: null,
    cacheReadPrice: null,
    cacheWritePrice: null,
    requestPrice: null,
    capabilities: [],
  }
}

/** Lists write 0 for a limit or a time that they do not know. */
export function limitOf(value: unknown): number | null {
  return statedCount(value) || null
}
