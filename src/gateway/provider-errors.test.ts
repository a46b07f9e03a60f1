import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

// What a client learns of an error beside our own code, in both formats.

const server = await startGateway()
const { fake, key } = server
const messages = [{ role: 'user', content: 'Hello' }]
const version = { 'anthropic-version': '2023-06-01' }

beforeEach(() => fake.reset())

const chat = (model: string, more: object = {}, headers: Record<string, string> = {}) =>
  server.call('/v1/chat/completions', { key, json: { model, messages, ...more }, headers })
const message = (model: string, more: object = {}) =>
  server.call('/v1/messages', { key, json: { model, messages, max_tokens: 9, ...more } })

test('the code of the provider stands beside ours, whole and streamed', async () => {
  const body = {
    error: {
      message: 'Too long.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  }
  for (const stream of [false, true]) {
    fake.script('openai', { status: 400, body: JSON.stringify(body) })
    const { status, json } = await chat('gpt-4.1', { stream })
    assert.equal(status, 400)
    assert.deepEqual(json.error, {
      message: 'Too long.',
      type: 'provider_error',
      param: 'messages',
      code: 'provider_error',
      upstream: {
        status: 400,
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        param: 'messages',
        details: null,
      },
    })
  }
})

test('a quota that is used up is reported by its code, and not retried', async () => {
  const error = {
    message: 'You exceeded your quota.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  }
  fake.script('openai', { status: 429, body: JSON.stringify({ error }) })
  const { status, headers, json } = await chat('gpt-4.1')
  assert.deepEqual(
    [status, json.error.code, json.error.upstream.code],
    [429, 'rate_limit', 'insufficient_quota'],
  )
  assert.equal(headers.get('x-should-retry'), 'false')
})

test('the details of Google and of OpenRouter survive', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [] }]
  const error = { code: 400, message: 'No.', status: 'INVALID_ARGUMENT', details }
  fake.script('gemini', { status: 400, body: JSON.stringify({ error }) })
  const google = await chat(exampleModels.gemini)
  const upstream = { status: 400, type: 'INVALID_ARGUMENT', code: null, param: null, details }
  assert.deepEqual(google.json.error.upstream, upstream)

  const metadata = { provider_name: 'Acme', raw: 'no' }
  const routed = { error: { code: 400, message: 'Provider returned error', metadata } }
  fake.script('openrouter', { status: 400, body: JSON.stringify(routed) })
  const router = await chat(exampleModels.openrouter)
  assert.deepEqual(router.json.error.upstream.details, metadata)
})

test('details beyond 8 KiB are left out', async () => {
  const error = { message: 'No.', type: 'x', details: { long: 'x'.repeat(9_000) } }
  fake.script('openai', { status: 400, body: JSON.stringify({ error }) })
  const { json } = await chat('gpt-4.1')
  assert.deepEqual([json.error.upstream.type, json.error.upstream.details], ['x', null])
})

test('a refused provider key is not retried, and only the kind of the error is returned', async () => {
  const error = {
    message: 'bad key sk-abcdefgh',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    param: 'x',
  }
  fake.script('openai', { status: 401, body: JSON.stringify({ error }) })
  const { status, headers, json } = await chat('gpt-4.1')
  assert.deepEqual([status, headers.get('x-should-retry')], [502, 'false'])
  assert.deepEqual(json.error.upstream, {
    status: 401,
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    param: null,
    details: null,
  })
})

test('Messages: the details of a native error survive, and its type', async () => {
  const details = { error_code: 'credits_exhausted' }
  const error = { type: 'billing_error', message: 'Pay first.', details }
  fake.script('anthropic', { status: 400, body: JSON.stringify({ type: 'error', error }) })
  const { status, json } = await message(exampleModels.anthropic)
  assert.equal(status, 400)
  assert.deepEqual(json.error, { type: 'billing_error', message: 'Pay first.', details })
})

test('an overloaded provider is 529 for clients of the Messages API and 503 for all others', async () => {
  for (const [provider, status] of [
    ['anthropic', 529],
    ['gemini', 503],
  ] as const) {
    const model = exampleModels[provider]
    fake.script(provider, { error: { status } })
    const native = await message(model)
    assert.deepEqual([native.status, native.json.error.type], [529, 'overloaded_error'])
    fake.script(provider, { error: { status } })
    const asked = await chat(model, {}, version)
    assert.deepEqual([asked.status, asked.json.type], [529, 'error'])
    fake.script(provider, { error: { status } })
    assert.equal((await chat(model)).status, 503)
  }
})

test('a conversation that only its provider keeps is refused by other models with the code that clients know', async () => {
  const { status, json } = await message(exampleModels.openai, { thread: { id: 'thread_1' } })
  assert.equal(status, 400)
  assert.equal(json.error.type, 'invalid_request_error')
  assert.deepEqual(json.error.details, { error_code: 'thread_unsupported_request' })
  assert.equal(fake.requests.length, 0)
})

test('unknown routes and refused keys answer clients of the Messages API in their format', async () => {
  for (const [path, method, status, type] of [
    ['/v1/messages/batches', 'POST', 404, 'not_found_error'],
    ['/v1/files', 'GET', 404, 'not_found_error'],
    ['/v1/messages', 'GET', 405, 'invalid_request_error'],
  ] as const) {
    const { status: got, headers, json } = await server.call(path, { key, method, headers: version })
    assert.deepEqual([got, json.type, json.error.type], [status, 'error', type], path)
    assert.equal(headers.get('request-id'), json.request_id)
    assert.equal(headers.get('request-id'), headers.get('x-request-id'))
    const other = await server.call(path, { key, method })
    if (!path.startsWith('/v1/messages')) assert.equal(other.json.error.code, 'not_found')
  }
  const refused = await server.call('/v1/models', { key: 'sb-unknown', headers: version })
  assert.deepEqual([refused.status, refused.json.error.type], [401, 'authentication_error'])
})
