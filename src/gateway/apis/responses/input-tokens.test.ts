import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway, type ProviderId } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, openai } = server
const input = 'How many tokens are these?'

for (const provider of Object.keys(exampleModels) as ProviderId[]) {
  test(`${provider}: the input tokens of a response are counted, and cost nothing`, async () => {
    const model = exampleModels[provider]
    const sent = fake.requests.length
    const { data, response } = await openai.responses.inputTokens.count({ model, input }).withResponse()
    assert.equal(data.object, 'response.input_tokens')
    assert.ok(Number.isInteger(data.input_tokens) && data.input_tokens > 0)
    const row = await waitFor('the row', async () => {
      const path = `/api/v1/logs/${response.headers.get('x-request-id')}`
      const { status, json } = await server.call(path, { key: server.key })
      return status === 200 && json
    })
    assert.deepEqual(
      [row.provider, row.model, row.endpoint, row.status_code, row.total_tokens],
      [provider, model, '/v1/responses/input_tokens', 200, 0],
    )
    if (provider === 'openai') assert.equal(fake.requests.at(-1)?.path, '/responses/input_tokens')
    // No route counts for these.
    if (provider === 'perplexity' || provider === 'openrouter') assert.equal(fake.requests.length, sent)
  })
}

test('a body for OpenAI is sent unchanged, and its refusal is returned', async () => {
  const body = `{ "model":"${exampleModels.openai}",  "input":"Hello", "instructions":"Be brief." }`
  const headers = { 'content-type': 'application/json' }
  const counted = await server.call('/v1/responses/input_tokens', { key: server.key, body, headers })
  assert.equal(counted.status, 200, counted.text)
  assert.equal(fake.requests.at(-1)?.body.toString(), body)
  const refused = await server.call('/v1/responses/input_tokens', {
    key: server.key,
    json: { model: exampleModels.openai, input: 'Hello', temperature: 1 },
  })
  assert.deepEqual([refused.status, refused.json.error.param], [400, 'temperature'])
})
