import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { modelList } from './model-list.ts'

test('the pages of the model list are followed to the end, and only models that chat are kept', async (t) => {
  const fake = await startFakeProvider()
  t.after(() => fake.close())
  const models = []
  for (let query: Record<string, string> | undefined = {}; query;) {
    // A small page, so that there is more than one.
    const search = new URLSearchParams({ ...query, pageSize: '4', key: 'good' }).toString()
    const response = await fetch(`${fake.baseUrls.GEMINI_BASE_URL}${modelList.path}?${search}`)
    const page = modelList.read(await response.json())
    models.push(...page.models)
    query = page.next
  }
  const ids = models.map((model) => model.id)
  assert.ok(ids.includes('gemini-4-argon') && ids.includes('gemma-3-27b-it'))
  assert.ok(!ids.includes('gemini-embedding-001'))
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(models[0]?.contextLength, 1_048_576)
  assert.equal(models[0]?.maxOutput, 262_144)
})

test('a list of a wrong shape reads as empty', () => {
  for (const body of [null, [], 'x', { models: 5 }]) assert.deepEqual(modelList.read(body), { models: [] })
})
