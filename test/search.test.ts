import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { insertRows, newRow } from '../src/usage/log/testing-rows.ts'
import { until } from '../src/search/testing-search.ts'

const product = await startProduct({ RUNTIME: 'builtin' })
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
const search = (query: string) => product.call('/api/v1/search', { key: product.key, json: { query } })

test('the catalogue of models and the words of the usage log are found in the running product', async () => {
  const { pool } = database
  await pool.query(
    `insert into gateway.models (group_id, provider_id, id, name, context_length, capabilities, synced_at)
     values ($1, 'openai', 'gpt-6-sol', 'GPT-6 Sol', 400000, '{vision,tools}', now()),
       ($1, 'nobodys', 'stray-model', 'Stray', null, '{}', now())`,
    [product.first.groupId],
  )
  const at = new Date(Date.now() - 180_000)
  const given = {
    error_message: 'The account has run out of credit',
    status_code: 402,
    user_label: 'nightly',
  }
  const ids = { trace: '3f8a0b1c-2d4e-4f60-8a1b-0c2d3e4f5a6b' }
  await insertRows(pool, [
    newRow(product.first.groupId, at, given),
    newRow(product.first.groupId, new Date(at.getTime() + 1_000), given),
    newRow(product.first.groupId, at, { metadata: { project: 'invoice parser', ...ids } }),
    newRow(product.first.groupId, new Date(at.getTime() + 2_000), {
      metadata: { project: 'invoice parser', trace: crypto.randomUUID() },
    }),
  ])
  // The rows are older than what has been read already, as after an outage: everything is read again.
  await product.call('/api/v1/search/reindex', { key: product.key, json: {} })
  await until(async () => {
    const { json } = await product.call('/api/v1/search/state', { key: product.key })
    return json.documents === 3 && json.waiting === 0
  })
  const model = await search('a model that can see pictures, GPT-6')
  assert.equal(model.json.results[0].kind, 'model')
  assert.equal(model.json.results[0].title, 'GPT-6 Sol')
  assert.equal(model.json.results[0].url, '/playground?model=gpt-6-sol')
  assert.ok(!model.text.includes('Stray'), 'a provider that nobody has shows its models to nobody')
  const money = await search('no money left on the account')
  assert.equal(money.json.results[0].title, 'Error 402 of gpt-6-sol')
  assert.match(money.json.results[0].url, /^\/logs\?request=req_[0-9a-f]{32}$/)
  const project = await search('invoice parser')
  assert.match(project.json.results[0].excerpt, /project: invoice parser/)
  await database.close()
})
