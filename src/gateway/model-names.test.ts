import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { openSocket } from '#test/socket'

const server = await startGateway()
const { fake, key } = server
const messages = [{ role: 'user', content: 'Hello' }]
const model = exampleModels.openai
const longest = `${model}-`.padEnd(300, 'x')
const tooLong = `${longest}x`
const halfCharacter = 'gpt-\ud800'

const apis: [string, object][] = [
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { input: 'Hello' }],
  ['/v1/responses', { input: 'Hello', stream: true }],
  ['/v1/messages', { messages, max_tokens: 100 }],
  ['/v1/messages/count_tokens', { messages }],
  ['/v1/embeddings', { input: 'Hello' }],
]

for (const [path, body] of apis)
  test(`${path}${'stream' in body ? ', streamed' : ''}: a name of a model that is too long, or not valid Unicode, is refused`, async () => {
    const sent = fake.requests.length
    const embeds = path === '/v1/embeddings'
    for (const name of [embeds ? tooLong.replace(model, 'text-embedding-3-small') : tooLong, halfCharacter]) {
      const { status, json } = await server.call(path, { key, json: { model: name, ...body } })
      assert.deepEqual([status, json.error.param ?? 'model'], [400, 'model'], name)
    }
    assert.equal(fake.requests.length, sent)
  })

test('so are the other names of a request', async () => {
  for (const field of ['models', 'fallbacks'])
    for (const name of [tooLong, halfCharacter]) {
      const json = { model, [field]: [name], messages }
      const refused = await server.call('/v1/chat/completions', { key, json })
      assert.deepEqual([refused.status, refused.json.error.param], [400, field])
    }
  const only = await server.call('/v1/chat/completions', { key, json: { models: [tooLong], messages } })
  assert.deepEqual([only.status, only.json.error.param], [400, 'model'])
})

test('a message of a WebSocket that names one is refused, also where no model is asked', async () => {
  const client = await openSocket(server.url, key)
  for (const generate of [true, false])
    for (const name of [tooLong, halfCharacter]) {
      const [refused] = await client.ask({ model: name, generate, input: 'Hello' })
      assert.deepEqual([refused?.['status'], refused?.['error'].param], [400, 'model'])
    }
  client.socket.close()
})

test('the longest name is asked for', async () => {
  await server.call('/v1/chat/completions', { key, json: { model: longest, messages } })
  assert.ok(fake.requests.at(-1)?.body.includes(longest))
})
