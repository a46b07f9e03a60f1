import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake } = server
const messages = [{ role: 'user', content: 'Hello' }]
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]

const ask = (body: string | object, path = '/v1/chat/completions') =>
  server.call(path, {
    key: server.key,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const sentBody = () => JSON.parse(fake.requests.at(-1)?.body.toString() ?? '') as Record<string, unknown>

async function loggedText(requestId: string | null): Promise<string> {
  const read = () => server.call(`/api/v1/logs/${requestId}`, { key: server.key })
  await waitFor('the row', async () => (await read()).status === 200)
  return (await read()).text
}

test('metadata of a chat request without store is logged and does not reach OpenAI, which would refuse it', async () => {
  for (const [path, body] of [
    ['/chat/completions', { model: 'gpt-4.1', messages }],
    ['/chat/completions', { model: 'gpt-4.1', messages, store: false }],
    ['/responses', { model: 'gpt-6-sol', messages, tools }],
  ] as const) {
    const response = await ask({ ...body, metadata: { team: 'search' } })
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('x-signalbox-dropped'), 'metadata')
    assert.ok(fake.requests.at(-1)?.path.endsWith(path))
    assert.ok(!('metadata' in sentBody()))
    assert.match(await loggedText(response.headers.get('x-request-id')), /"metadata":\{"team":"search"\}/)
  }
})

test('metadata of a chat request with store reaches OpenAI', async () => {
  const response = await ask({ model: 'gpt-4.1', messages, store: true, metadata: { team: 'search' } })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers.get('x-signalbox-dropped'), null)
  assert.deepEqual(sentBody()['metadata'], { team: 'search' })
})

test('a key named __proto__ stays in the metadata of a request', async () => {
  const metadata = '{"__proto__":{"a":1},"deep":{"__proto__":"b"},"team":"search"}'
  const response = await ask(
    `{"model":"gpt-4.1","messages":${JSON.stringify(messages)},"metadata":${metadata}}`,
  )
  assert.equal(response.status, 200, response.text)
  const row = JSON.parse(await loggedText(response.headers.get('x-request-id'))) as { metadata: object }
  assert.deepEqual(new Set(Object.keys(row.metadata)), new Set(['__proto__', 'deep', 'team']))
  assert.ok(JSON.stringify(row.metadata).includes('"deep":{"__proto__":"b"}'))
})

const call = '{"__proto__":{"a":1},"city":"Paris"}'
const history = `[{"role":"user","content":"Hello"},
  {"role":"assistant","content":null,"tool_calls":[
    {"id":"call_1","type":"function","function":{"name":"look","arguments":${JSON.stringify(call)}}}]},
  {"role":"tool","tool_call_id":"call_1","content":"sunny"}]`

for (const model of ['claude-sonnet-5-5', 'gemini-3.8-flash', 'gpt-6-sol']) {
  test(`a key named __proto__ stays in the arguments of a tool, to and from ${model}`, async () => {
    const toolCalls = [{ name: 'look', arguments: JSON.parse(call) as object }]
    fake.script({ model }, { toolCalls })
    const body = `{"model":"${model}","messages":${history},"tools":${JSON.stringify(tools)}}`
    const response = await ask(body)
    assert.equal(response.status, 200, response.text)
    const sent = JSON.stringify(sentBody())
    assert.ok(sent.includes(call) || sent.includes(JSON.stringify(call)), sent)
    assert.equal(response.json.choices[0].message.tool_calls[0].function.arguments, call)
  })

  test(`a key named __proto__ stays in the input of a tool_use block, to and from ${model}`, async () => {
    const toolCalls = [{ name: 'look', arguments: JSON.parse(call) as object }]
    fake.script({ model }, { toolCalls })
    const response = await ask(
      `{"model":"${model}","max_tokens":100,"tools":[{"name":"look","input_schema":{"type":"object"}}],"messages":[
        {"role":"user","content":"Hello"},
        {"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"look","input":${call}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"sunny"}]}]}`,
      '/v1/messages',
    )
    assert.equal(response.status, 200, response.text)
    const sent = JSON.stringify(sentBody())
    assert.ok(sent.includes(call) || sent.includes(JSON.stringify(call)), sent)
    assert.ok(response.text.includes(call), response.text)
  })
}
