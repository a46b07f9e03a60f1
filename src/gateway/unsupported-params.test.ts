import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

const model = 'claude-opus-5-5'
const schema = { type: 'object', properties: {} }
const chatTool = { type: 'function', function: { name: 'look_up', parameters: schema } }
/** The same in the two APIs that are translated for this model, with the names that each of them has. */
const requests: [path: string, body: object, dropped: string][] = [
  [
    '/v1/chat/completions',
    {
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 0.1,
      tools: [chatTool],
      tool_choice: 'required',
    },
    'tool_choice, temperature',
  ],
  [
    '/v1/responses',
    {
      input: 'Hi',
      temperature: 0.1,
      text: {
        format: {
          type: 'json_schema',
          name: 'x',
          schema: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
    'temperature, text.format.schema',
  ],
]

test('by default the request is served and the header names what the model could not take', async () => {
  const server = await startGateway()
  for (const [path, body, names] of requests) {
    const { status, headers, text } = await server.call(path, { key: server.key, json: { model, ...body } })
    assert.equal(status, 200, text)
    assert.equal(headers.get('x-signalbox-dropped'), names)
  }
})

test('UNSUPPORTED_PARAMS=refuse: 400 with the name that the client sent, and nothing goes upstream', async () => {
  const server = await startGateway({ UNSUPPORTED_PARAMS: 'refuse' })
  const before = server.fake.requests.length
  for (const [path, body, names] of requests) {
    const { status, json } = await server.call(path, { key: server.key, json: { model, ...body } })
    assert.deepEqual(
      [status, json.error.code, json.error.param],
      [400, 'invalid_request', names.split(', ')[0]],
    )
  }
  assert.equal(server.fake.requests.length, before)
})
