import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const server = await startGateway({ MAX_BODY_BYTES: '65536' })
const body = JSON.stringify({ model: exampleModels.openai, messages: [{ role: 'user', content: 'Hello' }] })
const large = JSON.stringify({ model: exampleModels.openai, messages: [], pad: 'x'.repeat(70_000) })
const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings']

async function rowOf(requestId: string | null) {
  const { status, json } = await server.call(`/api/v1/logs/${requestId}`, { key: server.key })
  return status === 200 ? json : status
}

for (const path of paths) {
  test(`${path}: a body that is refused before it is read has a row in the log of its key`, async () => {
    for (const [sent, type, expected] of [
      [large, 'application/json', 413],
      [body, 'text/plain', 415],
      ['{', 'application/json', 400],
    ] as const) {
      const response = await server.call(path, {
        key: server.key,
        method: 'POST',
        body: sent,
        headers: { 'content-type': type },
      })
      assert.equal(response.status, expected, response.text)
      const row = await rowOf(response.headers.get('x-request-id'))
      assert.deepEqual([row.status_code, row.endpoint, row.total_tokens], [expected, path, 0])
      assert.equal(row.error_message, response.json.error.message)
    }
  })
}

test('a request without a valid key has no row', async () => {
  const { status, headers } = await server.call('/v1/chat/completions', {
    key: 'sb-unknown',
    method: 'POST',
    body: large,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 401)
  assert.equal(await rowOf(headers.get('x-request-id')), 404)
})
