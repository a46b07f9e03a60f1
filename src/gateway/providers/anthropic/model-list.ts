import type { ModelInfo, ModelListing } from '../../provider.ts'
import { arrayOf, isObject, objectOf, statedCount, stringOf, type JsonObject } from '../../wire/json.ts'

const pageSize = { limit: '1000' }

export const modelList: ModelListing = {
  path: '/v1/models',
  query: pageSize,
  read(body) {
    const page = objectOf(body)
    const models = arrayOf(page['data']).map(objectOf).filter(isUsable).map(toModel)
    const last = stringOf(page['last_id'])
    if (page['has_more'] !== true || last === '') return { models }
    return { models, next: { ...pageSize, after_id: last } }
  },
}

function isUsable(model: JsonObject): boolean {
  return stringOf(model['id']).startsWith('claude-') && model['lifecycle'] !== 'retired'
}

function toModel(model: JsonObject): ModelInfo {
  const created = Date.parse(stringOf(model['created_at']))
  return {
    id: stringOf(model['id']),
    created: Number.isNaN(created) ? null : Math.floor(created / 1000),
    ownedBy: 'anthropic',
    name: stringOf(model['display_name']) || null,
    contextLength: statedCount(model['max_input_tokens']) ?? null,
    maxOutput: statedCount(model['max_tokens']) ?? null,
    inputPrice: null,
    outputPrice: null,
    cacheReadPrice: null,
    cacheWritePrice: null,
    requestPrice: null,
    capabilities: supported(model['capabilities']),
  }
}

function supported(capabilities: unknown): string[] {
  return Object.entries(objectOf(capabilities))
    .filter(([, value]) => isObject(value) && value['supported'] === true)
    .map(([name]) => name)
}
