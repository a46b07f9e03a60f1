import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const server = await startGateway()

test('arguments of a tool nested 50,000 levels deep are an error of the provider, not of the gateway', async () => {
  const deep = '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)
  const block = `{"type":"tool_use","id":"t","name":"f","input":${deep}}`
  const usage = '"usage":{"input_tokens":1,"output_tokens":1}'
  const body = `{"id":"m","type":"message","role":"assistant","model":"m","content":[${block}],"stop_reason":"tool_use",${usage}}`
  server.fake.script({ provider: 'anthropic' }, { body, headers: { 'content-type': 'application/json' } })
  const { status, json } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: exampleModels.anthropic, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 9 },
  })
  assert.deepEqual([status, json.error.code], [502, 'provider_error'])
})
