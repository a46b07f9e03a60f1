import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startGateway } from '#test/gateway'

const words = { choices: [{ index: 0, delta: { content: 'half an ans' } }] }
const overloaded = {
  error: { message: 'The model is overloaded.', type: 'server_error', code: 'overloaded' },
}

/** Says something, then what is wrong, in one breath, and hangs up. */
const upstream = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify(words)}\n\ndata: ${JSON.stringify(overloaded)}\n\n`, () =>
    response.destroy(),
  )
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
after(() => upstream.close())
const { port } = upstream.address() as AddressInfo
const server = await startGateway({ OPENAI_BASE_URL: `http://127.0.0.1:${port}` })

test('a provider that says what is wrong and hangs up is quoted, after all that it said before', async () => {
  const { text } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }], stream: true },
  })
  assert.match(text, /half an ans/)
  assert.match(text, /The model is overloaded/)
  assert.doesNotMatch(text, /connection to the provider failed/)
})
