import { listOf, objectOf, textOf } from '../../wire/json.ts'
import { countOf } from '../../chat/json.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { ModelInfo, ModelListing } from '../../provider.ts'

const pageSize = { pageSize: '1000' }

export const modelList: ModelListing = {
  path: '/v1beta/models',
  query: pageSize,
  read(body) {
    const page = objectOf(body)
    const models = listOf(page['models']).map(objectOf).filter(isUsable).map(toModel)
    const token = textOf(page['nextPageToken'])
    return token === '' ? { models } : { models, next: { ...pageSize, pageToken: token } }
  },
}

function nameOf(model: JsonObject): string {
  return textOf(model['name']).replace(/^models\//, '')
}

/** Embedding and other models are listed too; those that answer in chat can generate content. */
function isUsable(model: JsonObject): boolean {
  const canGenerate = listOf(model['supportedGenerationMethods']).includes('generateContent')
  return canGenerate && /^gem(ini|ma)-/.test(nameOf(model))
}

function toModel(model: JsonObject): ModelInfo {
  return {
    id: nameOf(model),
    created: null,
    ownedBy: 'google',
    name: textOf(model['displayName']) || null,
    contextLength: countOf(model['inputTokenLimit']) ?? null,
    maxOutput: countOf(model['outputTokenLimit']) ?? null,
    inputPrice: null,
    outputPrice: null,
    cacheReadPrice: null,
    cacheWritePrice: null,
    requestPrice: null,
    capabilities: model['thinking'] === true ? ['thinking'] : [],
  }
}
