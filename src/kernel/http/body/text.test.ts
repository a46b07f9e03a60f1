import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

const { call, key } = await startGateway()
const json = { 'content-type': 'application/json' }
const deep = `${'['.repeat(6_000)}${']'.repeat(6_000)}`

test('JSON nested 6,000 deep returns 400 on every kind of route', async () => {
  const bodies = {
    '/api/auth/sign-in/email': `{"email":"a@example.com","password":${deep}}`,
    '/api/auth/invitation/accept': deep,
    '/api/v1/keys': `{"name":"deep","provider_key_overrides":${deep}}`,
    '/providers/openai': deep,
    '/api/v1/embed': `{"text":${deep}}`,
  }
  for (const [path, body] of Object.entries(bodies)) {
    const { status, json: answer } = await call(path, { body, headers: json })
    assert.equal(status, 400, path)
    assert.equal(
      answer.error.message,
      'The body is not accepted: its JSON is nested more than 128 levels deep.',
    )
  }
  const chat = `{"model":"gpt-6-sol","messages":[{"role":"user","content":"hi"}],"metadata":{"deep":${deep}}}`
  for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/messages'])
    assert.equal((await call(path, { key, body: chat, headers: json })).status, 400, path)
})

test('JSON nested 100 deep is accepted', async () => {
  const schema = `${'{"type":"object","properties":{"a":'.repeat(45)}{"type":"string"}${'}}'.repeat(45)}`
  const body = `{"model":"gpt-6-sol","messages":[{"role":"user","content":"hi"}],
    "tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`
  assert.equal((await call('/v1/chat/completions', { key, body, headers: json })).status, 200)
})

test('NUL and half a surrogate pair return 400 and name the field', async () => {
  const create = (body: string) => call('/api/v1/keys', { body, headers: json })
  for (const text of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ude00\\ud83d']) {
    const { status, json: answer } = await create(`{"name":"x${text}"}`)
    assert.equal(status, 400, text)
    assert.equal(answer.error.param, 'name', text)
  }
  assert.equal((await create('{"name":"x","provider_key_overrides":{"a\\u0000":"b"}}')).status, 400)
  // Names are refused for every control character; other texts may have lines and tabs.
  const embed = (text: string) => call('/api/v1/embed', { body: `{"text":"${text}"}`, headers: json })
  const nul = await embed('a\\nb\\u0000')
  assert.deepEqual(
    [nul.status, nul.json.error.param, nul.json.error.message],
    [400, 'text', 'text must not contain NUL characters.'],
  )
  // A whole pair is a character, and an escaped backslash before u0000 is text.
  for (const text of ['\\ud83d\\ude00', '\\\\u0000'])
    assert.equal((await create(`{"name":"x${text}"}`)).status, 201, text)
})

test('control characters and direction overrides in a name return 400, wherever names are', async () => {
  for (const text of ['\\n', '\\t', '\\u001b[31m', '\\u0085', '\\u007f', '\\u202e', '\\u2066'])
    for (const [path, member] of [
      ['/api/v1/keys', 'name'],
      ['/api/v1/groups', 'name'],
      ['/providers/openai/accounts', 'name'],
    ] as const) {
      const { status, json: answer } = await call(path, { body: `{"${member}":"x${text}y"}`, headers: json })
      assert.deepEqual([status, answer.error?.param], [400, member], `${path} ${text}`)
    }
  const fine = await call('/api/v1/keys', { json: { name: 'مفتاح 🗝️ – „Schlüssel“' } })
  assert.equal(fine.status, 201, fine.text)
})

test('NUL in a form, a query or a path returns 400', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  assert.equal(
    (await call('/providers/openai', { body: 'api_key=sk-%00&name=x', headers: form })).status,
    400,
  )
  for (const path of [
    '/api/v1/logs?model=%00',
    '/api/v1/keys?group_id=%00',
    '/api/v1/logs/%00',
    '/v1/models/%00',
    '/api/auth/invitation?token=%00',
    '/%00',
  ]) {
    const { status, text } = await call(path, path.startsWith('/v1') ? { key } : {})
    assert.equal(status, 400, `${path}: ${text}`)
    assert.match(text, /The request URL must not contain NUL characters/, path)
  }
  assert.equal((await call('/api/v1/logs?model=%00')).json.error.code, 'invalid_request')
})

test('a large form, and a body that is neither JSON nor a form, are refused', async () => {
  const large = `api_key=${'x'.repeat(300 * 1024)}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await call('/providers/openai', { body: large, headers: form })).status, 413)
  const text = await call('/api/v1/keys', { body: '{"name":"x"}', headers: { 'content-type': 'text/plain' } })
  assert.equal(text.status, 415)
})
