import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, key } = server
const messages = [{ role: 'user', content: 'Hello' }]

async function logged(requestId: string) {
  return waitFor('the log entry', async () => {
    const { status, json } = await server.call(`/api/v1/logs/${requestId}`, { key })
    return status === 200 && json
  })
}

const cases: [path: string, model: string, more: object, limit: string][] = [
  ['/v1/chat/completions', 'gpt-4.1', {}, 'x-ratelimit-remaining-requests'],
  ['/v1/chat/completions', exampleModels.anthropic, {}, 'anthropic-ratelimit-requests-remaining'],
  ['/v1/messages', exampleModels.anthropic, { max_tokens: 9 }, 'anthropic-ratelimit-requests-remaining'],
  ['/v1/messages', exampleModels.openai, { max_tokens: 9 }, 'x-ratelimit-remaining-requests'],
]

for (const stream of [false, true]) {
  test(`limits and the provider's own id reach the client, and the id the log (stream: ${stream})`, async () => {
    for (const [path, model, more, limit] of cases) {
      const json = { model, messages, stream, ...more }
      const { status, headers, text } = await server.call(path, { key, json })
      assert.equal(status, 200, text)
      assert.match(headers.get(limit) ?? '', /^\d+$/, `${path} ${model}`)
      const upstreamId = headers.get('x-upstream-request-id') ?? ''
      assert.match(upstreamId, /^req_/)
      const requestId = headers.get('x-request-id') ?? ''
      assert.notEqual(requestId, upstreamId)
      assert.equal((await logged(requestId)).upstream_request_id, upstreamId)
      assert.equal(headers.get('openai-organization'), null)
    }
  })
}

test('the id of a refused request is in the response and in the log', async () => {
  fake.script('anthropic', { error: { status: 400 } })
  const { headers } = await server.call('/v1/chat/completions', {
    key,
    json: { model: exampleModels.anthropic, messages },
  })
  assert.equal(headers.get('x-upstream-request-id'), 'req_011CfakeFakeFakeFakeFake')
  const row = await logged(headers.get('x-request-id') ?? '')
  assert.equal(row.upstream_request_id, 'req_011CfakeFakeFakeFakeFake')
})

test('a provider that gives no id leaves none', async () => {
  const json = { model: exampleModels.gemini, messages }
  const { headers } = await server.call('/v1/chat/completions', { key, json })
  assert.equal(headers.get('x-upstream-request-id'), null)
  assert.equal((await logged(headers.get('x-request-id') ?? '')).upstream_request_id, null)
})
