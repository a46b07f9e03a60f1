import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const server = await startGateway()
const headers = { accept: 'application/json' }
const other = await otherGroup()

async function otherGroup(): Promise<string> {
  const { json } = await server.call('/api/v1/groups', { json: { name: 'Other' } })
  const made = await server.call('/api/v1/keys', {
    json: { name: 'Other', group_id: json.id as string, scopes: ['gateway', 'read', 'admin'] },
  })
  const key = (made.json.key ?? made.json.api_key) as string
  const added = await server.call('/providers/openai', { key, json: { api_key: 'sk-of-the-other-group-1' } })
  assert.equal(added.status, 201, added.text)
  return key
}

const change = (id: string, json: object) =>
  server.call(`/providers/${id}`, { method: 'PATCH', json: json as Record<string, unknown>, headers })
const complete = (key: string, model: string = exampleModels.openai) =>
  server.call('/v1/chat/completions', {
    key,
    json: { model, messages: [{ role: 'user', content: 'Hello' }] },
  })

async function isListed(key: string): Promise<boolean> {
  const { data } = (await server.call('/v1/models', { key })).json as { data: { owned_by: string }[] }
  return data.some((model) => model.owned_by === 'openai')
}

async function isActive(id: string): Promise<boolean | undefined> {
  const { providers } = (await server.call('/providers', { headers })).json as {
    providers: { id: string; is_active: boolean }[]
  }
  return providers.find((provider) => provider.id === id)?.is_active
}

test('a built-in provider that a group turned off gets none of its requests until it is turned on', async () => {
  assert.equal((await complete(server.key)).status, 200)
  const off = await change('openai', { is_active: false })
  assert.equal(off.status, 200, off.text)
  assert.deepEqual([off.json.id, off.json.is_active, await isActive('openai')], ['openai', false, false])
  const refused = await complete(server.key)
  assert.equal(refused.status, 404, refused.text)
  assert.equal((refused.json.error as { code: string }).code, 'model_not_found')
  const saysSo = /^OpenAI is disabled in your group\. .*\/providers/
  assert.match(refused.json.error.message, saysSo)
  const vectors = await server.call('/v1/embeddings', {
    key: server.key,
    json: { model: 'text-embedding-3-small', input: 'a' },
  })
  assert.deepEqual([vectors.status, saysSo.test(vectors.json.error.message)], [404, true], vectors.text)
  assert.equal(await isListed(server.key), false)
  assert.equal((await complete(server.key, exampleModels.anthropic)).status, 200, 'other providers stay on')
  assert.equal((await complete(other)).status, 200, 'other groups decide for themselves')
  assert.equal(await isListed(other), true)

  assert.equal((await change('openai', { is_active: false })).status, 200, 'twice is no error')
  assert.equal((await change('beta', { is_active: true })).json.is_active, true)
  assert.equal((await complete(server.key)).status, 200)
  assert.equal(await isListed(server.key), true)
})

test('nothing else of a built-in provider can be changed', async () => {
  const moved = await change('openai', { is_active: false, base_url: 'https://elsewhere.example/v1' })
  assert.equal(moved.status, 400, moved.text)
  assert.equal((moved.json.error as { param: string }).param, 'base_url')
  assert.equal(await isActive('openai'), true)
  assert.equal((await change('nobody', { is_active: false })).status, 404)
})
