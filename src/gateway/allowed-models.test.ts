import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import type { Answer } from '#test/product'
import { openSocket } from '#test/socket'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { call, fake } = server
const messages = [{ role: 'user', content: 'Hello' }]

async function keyFor(allowed: string[] | null, by?: string): Promise<string> {
  const json = {
    name: 'limited',
    scopes: ['gateway', 'embeddings', 'read', 'admin'],
    allowed_models: allowed,
  }
  const made = await call('/api/v1/keys', { json, ...(by !== undefined && { key: by }) })
  assert.equal(made.status, 201, made.text)
  return made.json.key as string
}

const key = await keyFor(['gpt-6-*', 'text-embedding-3-small', 'whisper-1'])

function checkRefused({ status, json }: Pick<Answer, 'status' | 'json'>, label: string): void {
  const { code, type, message, param } = json.error
  assert.deepEqual(
    [status, code, type, param],
    [403, 'model_not_allowed', 'permission_error', 'model'],
    label,
  )
  assert.match(message, /^The key "limited" may not use the model /)
}

test('a model of the list is served; every API refuses another, without a call upstream', async () => {
  const served = await call('/v1/chat/completions', { key, json: { model: 'gpt-6-sol', messages } })
  assert.equal(served.status, 200, served.text)
  const before = fake.requests.length
  const bodies: Record<string, object> = {
    '/v1/chat/completions': { model: 'claude-sonnet-5-5', messages },
    '/v1/responses': { model: 'gpt-4.1', input: 'Hello' },
    '/v1/embeddings': { model: 'text-embedding-3-large', input: 'Hello' },
    '/api/v1/gateway/playground': { model: 'gpt-4.1', messages },
    '/api/v1/embed': { text: 'Hello' },
  }
  for (const [path, json] of Object.entries(bodies)) checkRefused(await call(path, { key, json }), path)
  const form = new FormData()
  form.set('model', 'gpt-4o-transcribe')
  form.set('file', new Blob(['RIFF']), 'speech.wav')
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers,
    body: form,
  })
  checkRefused({ status: response.status, json: await response.json() }, 'transcription')
  assert.equal(fake.requests.length, before)
})

test('a client of the Messages API gets the refusal in its own format', async () => {
  const json = { model: 'claude-sonnet-5-5', max_tokens: 9, messages }
  const refused = await call('/v1/messages', { key, json, headers: { 'anthropic-version': '2023-06-01' } })
  assert.deepEqual([refused.status, refused.json.error.type], [403, 'permission_error'])
})

test('every name counts that the request has for the case that the first one fails', async () => {
  const before = fake.requests.length
  for (const more of [
    { models: ['gpt-6-sol', 'claude-sonnet-5-5'] },
    { fallbacks: ['claude-sonnet-5-5'] },
    { models: 'claude-sonnet-5-5' },
    { fallbacks: [{ model: 'claude-sonnet-5-5' }] },
  ])
    checkRefused(
      await call('/v1/chat/completions', { key, json: { model: 'gpt-6-sol', messages, ...more } }),
      JSON.stringify(more),
    )
  assert.equal(fake.requests.length, before)
})

test('a request that names only a list is served from it', async () => {
  const served = await call('/v1/chat/completions', { key, json: { models: ['gpt-6-sol'], messages } })
  assert.equal(served.status, 200, served.text)
})

test('over a WebSocket a model outside the list is refused, and the connection stays open', async () => {
  const client = await openSocket(server.url, key)
  for (const more of [{}, { generate: false }]) {
    const [refused] = await client.ask({ model: 'claude-sonnet-5-5', input: 'Hello', ...more })
    assert.deepEqual([refused?.['type'], refused?.['error'].code], ['error', 'model_not_allowed'])
  }
  const events = await client.ask({ model: 'gpt-6-sol', input: 'Hello' })
  assert.equal(events.at(-1)?.['type'], 'response.completed')
  client.socket.close()
})

test('the list of models has those of the key alone', async () => {
  const ids = async (path: string, by: string): Promise<string[]> =>
    (await call(path, { key: by })).json.data.map(({ id }: { id: string }) => id)
  const all = await ids('/v1/models', await keyFor(null))
  assert.ok(all.some((id) => id.startsWith('claude-')) && all.includes('gpt-6-sol'))
  for (const path of ['/v1/models', '/api/v1/gateway/models']) {
    const own = await ids(path, key)
    assert.ok(own.includes('gpt-6-sol'))
    assert.deepEqual(
      own.filter((id) => !/^gpt-6-|^text-embedding-3-small$|^whisper-1$/.test(id)),
      [],
    )
  }
  const anthropic = { 'anthropic-version': '2023-06-01' }
  const page = await call('/v1/models', { key, headers: anthropic })
  assert.ok(page.json.data.every(({ id }: { id: string }) => !id.startsWith('claude-')))
  assert.equal((await call('/v1/models/claude-sonnet-5-5', { key })).status, 404)
  assert.equal((await call('/v1/models/gpt-6-sol', { key })).status, 200)
})

test('a refusal is in the usage log, with its model and no cost', async () => {
  const json = { model: 'claude-opus-5-5', messages }
  const { headers } = await call('/v1/chat/completions', { key, json })
  const row = await waitFor('the row', async () => {
    const found = await call(`/api/v1/logs/${headers.get('x-request-id')}`, { key })
    return found.status === 200 && found.json
  })
  assert.deepEqual([row.model, row.status_code, row.provider], ['claude-opus-5-5', 403, null])
  assert.equal(Number(row.total_cost ?? 0), 0)
})

test('a key made with a key may name only what both lists have, whatever its own becomes', async () => {
  const parent = await call('/api/v1/keys', {
    json: { name: 'limited', scopes: ['gateway', 'admin'], allowed_models: ['gpt-*'] },
  })
  const made = await call('/api/v1/keys', {
    key: parent.json.key,
    json: { name: 'limited', scopes: ['gateway'], allowed_models: ['gpt-6-*'] },
  })
  const child = made.json.key as string
  const ask = (model: string) => call('/v1/chat/completions', { key: child, json: { model, messages } })
  assert.equal((await ask('gpt-6-sol')).status, 200)
  checkRefused(await ask('gpt-4.1'), 'the list of the key itself')
  // A person may give it more; the key above still counts.
  const path = `/api/v1/keys/${made.json.id}`
  await call(path, { method: 'PATCH', json: { allowed_models: null } })
  await waitFor('the change', async () => (await ask('gpt-4.1')).status === 200)
  checkRefused(await ask('claude-sonnet-5-5'), 'the list of the key above')
})
