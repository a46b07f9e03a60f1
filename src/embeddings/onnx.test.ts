import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProduct, temporaryFolder } from '#test/product'
import { writeTinyModel } from '#test/runtime'

test('a model folder given by hand works, with the prefixes of its kind', async () => {
  const words = ['search', '_', 'query', 'document', ':', 'train']
  const { folder } = writeTinyModel(join(temporaryFolder(), 'my-nomic'), words)
  const server = await startProduct({ EMBEDDING_MODEL: folder })
  const health = (await server.call('/health')).json
  assert.deepEqual([health.status, health.runtime, health.model], ['healthy', 'builtin', 'my-nomic'])
  const vectorFor = async (task: string): Promise<number[]> =>
    (await server.call('/api/v1/embed', { json: { text: 'train', task } })).json.embedding
  assert.equal((await vectorFor('search_query')).length, 768)
  assert.notDeepEqual(await vectorFor('search_query'), await vectorFor('search_document'))
  const { json } = await server.call('/api/v1/embeddings/status')
  assert.equal(json.driver, 'onnx')
  assert.match(json.fingerprint, /^my-nomic:[0-9a-f]{16}$/)
})

test('a pulled model is used with RUNTIME=builtin, and never because a runtime is unavailable', async () => {
  const models = temporaryFolder()
  writeTinyModel(join(models, 'nomic-embed-text-v1.5'), ['train'])
  const environment = { MODEL_DIR: models, RUNTIME_URL: 'http://127.0.0.1:9' }
  const chosen = await startProduct({ ...environment, RUNTIME: 'builtin' })
  assert.equal((await chosen.call('/health')).json.model, 'nomic-embed-text-v1.5')
  const auto = await startProduct(environment)
  assert.equal((await auto.call('/health')).json.model, 'signalbox-static-768')
})

test('a start with a wrong model folder ends with a line that says what is wrong', async () => {
  const { folder } = writeTinyModel(join(temporaryFolder(), 'model'), ['train'])
  writeFileSync(join(folder, 'tokenizer.json'), '{}')
  await assert.rejects(startProduct({ EMBEDDING_MODEL: folder }), {
    name: 'StartFault',
    message: /tokenizer\.json/,
  })
})
