import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, startGateway } from '#test/gateway'

const server = await startGateway()
const { key } = server
const accept = { accept: 'application/json' }

async function providerKey(provider: string): Promise<string> {
  const { json } = await server.call(`/providers/${provider}`, {
    key,
    json: { api_key: `${keyOf(provider)}-2`, name: 'second' },
    headers: accept,
  })
  return json.id as string
}

const create = (overrides: Record<string, string>) =>
  server.call('/api/v1/keys', { key, json: { name: 'pinned', provider_key_overrides: overrides } })

test('an override by the neutral word of a provider is stored by its id, and used', async () => {
  const second = await providerKey('openai')
  const { status, json, text } = await create({ beta: second })
  assert.equal(status, 201, text)
  assert.deepEqual(json.provider_key_overrides, { openai: second })
  const messages = [{ role: 'user', content: 'Hello' }]
  const answer = await server.call('/v1/chat/completions', {
    key: json.key,
    json: { model: 'gpt-4.1', messages },
  })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(server.fake.requests.at(-1)?.headers.authorization, `Bearer ${keyOf('openai')}-2`)
})

test('an override of an unknown provider, an unknown key or the key of another provider is refused by name', async () => {
  const second = await providerKey('gemini')
  const unknown = '00000000-0000-4000-8000-000000000000'
  for (const overrides of [
    { nobody: second },
    { gemini: unknown },
    { openai: second },
    { gamma: second, gemini: second },
  ]) {
    const { status, json } = await create(overrides)
    assert.deepEqual([status, json.error.code], [400, 'invalid_request'], JSON.stringify(overrides))
    assert.match(json.error.param, /^provider_key_overrides\./)
  }
})

test('a changed override is checked in the same way', async () => {
  const second = await providerKey('anthropic')
  const { json } = await create({})
  const change = (overrides: object) =>
    server.call(`/api/v1/keys/${json.id}`, {
      key,
      method: 'PATCH',
      json: { provider_key_overrides: overrides },
    })
  assert.equal((await change({ openai: second })).status, 400)
  assert.deepEqual((await change({ alpha: second })).json.provider_key_overrides, { anthropic: second })
})

test('a name that only begins like that of a model belongs to nobody', async () => {
  for (const model of ['sonarx', 'openrouter/', 'claude-', 'sonar_pro']) {
    const messages = [{ role: 'user', content: 'Hello' }]
    const { status, json } = await server.call('/v1/chat/completions', { key, json: { model, messages } })
    assert.deepEqual([status, json.error.code], [404, 'model_not_found'], model)
  }
})

test('401 says how to authenticate', async () => {
  const { status, headers } = await server.call('/v1/models', { key: 'sb-unknown' })
  assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer realm="Signalbox"'])
})

test('a served request is a line for debugging only; a refused one is not', async () => {
  const levelOf = async (path: string): Promise<unknown> => {
    const { headers } = await server.call(path, { key })
    const start = `"requestId":"${headers.get('x-request-id')}","method"`
    const line =
      server
        .logged()
        .split('\n')
        .find((each) => each.includes(start)) ?? '{}'
    return (JSON.parse(line) as { level?: unknown }).level
  }
  const [served, refused] = [await levelOf('/v1/models'), await levelOf('/v1/models/none')]
  assert.ok(served === 'debug' || served === 20, String(served))
  assert.ok(refused === 'info' || refused === 30, String(refused))
})
