import { arrayOf, objectOf, statedCount, stringOf, type JsonObject } from '../../wire/json.ts'
import type { ModelInfo, ModelListing } from '../../provider.ts'

const pageSize = { pageSize: '1000' }

export const modelList: ModelListing = {
  path: '/v1beta/models',
  query: pageSize,
  read(body) {
    const page = objectOf(body)
    const models = arrayOf(page['models']).map(objectOf).filter(isUsable).map(toModel)
    const token = stringOf(page['nextPageToken'])
    return token === '' ? { models } : { models, next: { ...pageSize, pageToken: token } }
  },
}

function nameOf(model: JsonObject): string {
  return stringOf(model['name']).replace(/^models\//, '')
}

/** Embedding and other models are listed too; chat models can generate content. */
function isUsable(model: JsonObject): boolean {
  const canGenerate = arrayOf(model['supportedGenerationMethods']).includes('generateContent')
  return canGenerate && /^gem(ini|ma)-/.test(nameOf(model))
}

function toModel(model: JsonObject): ModelInfo {
  return {
    id: nameOf(model),
    created: null,
    ownedBy: 'google',
    name: stringOf(model['displayName']) || null,
    contextLength: statedCount(model['inputTokenLimit']) ?? null,
    maxOutput: statedCount(model['outputTokenLimit']) ?? null,
    inputPrice: null,
    outputPrice: null,
    cacheReadPrice: null,
    cacheWritePrice: null,
    requestPrice: null,
    capabilities: model['thinking'] === true ? ['thinking'] : [],
  }
}
