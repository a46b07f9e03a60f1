import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { exampleModels, startGateway } from '#test/gateway'
import { openSocket } from '#test/socket'
import { waitFor } from '#test/wait'

const model = exampleModels.anthropic

test('a connection that is idle ends with an error, and one that is used does not', async () => {
  const server = await startGateway({ WEBSOCKET_IDLE_MS: '2000' })
  server.fake.always('anthropic', { text: 'words that take longer than the limit', chunkEveryMs: 400 })
  const client = await openSocket(server.url, server.key)
  const events = await client.ask({ model, input: 'Hello' })
  assert.equal(events.at(-1)?.['type'], 'response.completed')
  assert.equal(await client.closed, 1000)
  assert.equal(client.events.at(-1)?.['error'].code, 'request_timeout')
  await server.stop()
})

test('a client that is gone without a word is noticed', async () => {
  const server = await startGateway({ WEBSOCKET_MAX_AGE_MS: '8000' })
  const headers = { authorization: `Bearer ${server.key}` }
  const address = `${server.url.replace('http', 'ws')}/v1/responses`
  const socket = new WebSocket(address, { headers, autoPong: false })
  const code = await new Promise((resolve) => socket.once('close', resolve))
  assert.equal(code, 1006)
  await server.stop()
})

test('a key that is revoked ends a connection on which nothing is asked', async () => {
  const server = await startGateway({ WEBSOCKET_IDLE_MS: '60000', WEBSOCKET_MAX_AGE_MS: '2000' })
  const { json } = await server.call('/api/v1/keys', { json: { name: 'socket', scopes: ['gateway'] } })
  const client = await openSocket(server.url, json.key)
  await server.call(`/api/v1/keys/${json.id}`, { method: 'DELETE' })
  assert.equal(await client.closed, 1008)
  assert.equal(client.events.at(-1)?.['error'].code, 'invalid_api_key')
  await server.stop()
})

test('a connection ends at its longest time, after the response that runs', async () => {
  const server = await startGateway({ WEBSOCKET_MAX_AGE_MS: '2500' })
  server.fake.always('anthropic', { text: 'words that take longer than the limit', chunkEveryMs: 500 })
  const client = await openSocket(server.url, server.key)
  client.send({ type: 'response.create', model, input: 'Hello' })
  assert.equal(await client.closed, 1000)
  const types = client.events.map(({ type }) => String(type))
  assert.deepEqual(types.slice(-2), ['response.completed', 'error'])
  assert.equal(client.events.at(-1)?.['error'].code, 'websocket_connection_limit_reached')
  await server.stop()
})

test('a server that stops says so to idle clients at once, and lets responses end', async () => {
  const server = await startGateway()
  server.fake.always('anthropic', { text: 'the whole response arrives', chunkEveryMs: 40 })
  const [idle, busy] = [await openSocket(server.url, server.key), await openSocket(server.url, server.key)]
  busy.send({ type: 'response.create', model, input: 'Hello' })
  await waitFor('the response', () => busy.events.length > 2)
  const stopped = server.stop()
  assert.equal(await idle.closed, 1001)
  assert.equal(idle.events.at(-1)?.['error'].code, 'unavailable')
  assert.equal(await busy.closed, 1001)
  const types = busy.events.map(({ type }) => String(type))
  assert.deepEqual(types.slice(-2), ['response.completed', 'error'])
  await stopped
})

test('at the shutdown limit a response ends with an error, and a client that does not read is cut off', async () => {
  const server = await startGateway({ SHUTDOWN_TIMEOUT_MS: '200' })
  server.fake.always('anthropic', { text: 'endless words '.repeat(500), chunkEveryMs: 50 })
  const [reads, sleeps] = [await openSocket(server.url, server.key), await openSocket(server.url, server.key)]
  for (const client of [reads, sleeps]) client.send({ type: 'response.create', model, input: 'Hello' })
  await waitFor('both responses', () => reads.events.length > 2 && sleeps.events.length > 2)
  sleeps.socket.pause()
  await server.stop()
  assert.equal(await reads.closed, 1001)
  const errors = reads.events.filter(({ type }) => type === 'error')
  assert.match(errors[0]?.['error'].message, /The server is stopping/)
  assert.ok(!reads.events.some(({ type }) => type === 'response.completed'))
  sleeps.socket.terminate()
})
