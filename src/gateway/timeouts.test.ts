import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

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

/** Asks for a stream and reads nothing of it. */
async function askWithoutReading(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const json = JSON.stringify({ ...body, stream: true })
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${server.key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(json)}`,
  ]
  socket.pause().write([...lines, '', json].join('\r\n'))
  return socket
}

test('a client that stops reading holds the call to the provider no longer than the timeout, and is recorded as gone', async () => {
  const words = JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(1024 * 1024) } }] })
  async function* endless() {
    // More than the buffers between provider and client hold together.
    for (let n = 0; n < 200; n++) yield `data: ${words}\n\n`
  }
  const sent = server.fake.requests.length
  server.fake.script({ provider: 'openai' }, { body: endless() })
  const socket = await askWithoutReading()
  const upstream = await waitFor('the call', () => server.fake.requests[sent])
  await upstream.waitForAbort(60_000)
  const settled = await waitFor('the record', () =>
    server.settled().find(({ statusCode }) => statusCode === 499),
  )
  assert.ok((settled.usage?.['output'] ?? 0) === 0 && settled.isStream)
  socket.destroy()
})

test('a client that was slow once and reads again keeps its stream', async () => {
  const chunk = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
  async function* longStream() {
    for (let n = 0; n < 2_500; n++) yield chunk('x'.repeat(16 * 1024))
    // Longer than the timeout after the client was slow, each piece far below it.
    for (let n = 0; n < 8; n++) {
      await sleep(400)
      yield chunk('word')
    }
    yield 'data: [DONE]\n\n'
  }
  server.fake.script({ provider: 'openai' }, { body: longStream() })
  const socket = await askWithoutReading()
  await sleep(500)
  let end = ''
  socket.on('data', (bytes) => (end = `${end}${bytes.toString()}`.slice(-1_000)))
  socket.resume()
  await waitFor('the end of the stream', () => socket.destroyed || end.includes('[DONE]'))
  assert.ok(end.includes('[DONE]'), end)
  socket.destroy()
})
