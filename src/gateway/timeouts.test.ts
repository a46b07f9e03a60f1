import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

const server = await startGateway({ REQUEST_TIMEOUT_MS: '2000' })
const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] }

test('no headers within the timeout returns 504', async () => {
  server.fake.script({ provider: 'openai' }, { hang: 'before-headers' } as never)
  const { status, json } = await server.call('/v1/chat/completions', { key: server.key, json: body })
  assert.deepEqual([status, json.error.code, json.error.type], [504, 'provider_timeout', 'provider_error'])
})

test('no chunk within the timeout ends a stream with that error', async () => {
  server.fake.script({ provider: 'openai' }, {
    text: 'some words that never end',
    chunkEveryMs: 5_000,
  } as never)
  const { text } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { ...body, stream: true },
  })
  assert.match(text, /"code":"provider_timeout"/)
  assert.ok(!text.includes('[DONE]'))
})

test('a stream that is slow but alive is not cut', async () => {
  // Together longer than the timeout, each far below it: a busy machine is late with some.
  server.fake.script({ provider: 'openai' }, { text: 'one two three four five', chunkEveryMs: 500 } as never)
  const { text } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { ...body, stream: true },
  })
  assert.ok(text.endsWith('data: [DONE]\n\n'), text)
})
