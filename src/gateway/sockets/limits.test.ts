import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { disconnectEarly } from '#test/gone-client'
import { openSocket, type TestSocket } from '#test/socket'
import { waitFor } from '#test/wait'

const model = exampleModels.anthropic
const server = await startGateway({
  MAX_BODY_BYTES: '1048576',
  BODY_BUDGET_BYTES: '1048576',
  MAX_WEBSOCKETS: '4',
  MAX_WEBSOCKETS_PER_KEY: '3',
  WEBSOCKET_MEMORY_BYTES: '300000',
})
const open = () => openSocket(server.url, server.key)

/** The last event, which says why the connection was closed, and the code. */
async function endOf(client: TestSocket): Promise<unknown[]> {
  const code = await client.closed
  const last = client.events.at(-1)
  return [code, last?.['type'], last?.['error'].code]
}

async function closeAll(clients: TestSocket[]): Promise<void> {
  for (const { socket } of clients) socket.close()
  await Promise.all(clients.map(({ closed }) => closed))
}

async function newKey(): Promise<{ id: string; key: string }> {
  const { json } = await server.call('/api/v1/keys', { json: { name: 'socket', scopes: ['gateway'] } })
  return { id: json.id, key: json.key }
}

test('a key and a process have a number of connections, and places are given back', async () => {
  const clients = [await open(), await open(), await open()]
  await assert.rejects(open(), /429/)
  const other = await newKey()
  clients.push(await openSocket(server.url, other.key))
  await assert.rejects(openSocket(server.url, other.key), /429/)
  await closeAll(clients)
  const again = await waitFor('a free place', () => open().catch(() => undefined))
  await closeAll([again])
})

test('a client that disconnects while its key is read leaves no place taken', async () => {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  for (let round = 0; round < 4; round++) await disconnectEarly(server, 'GET /v1/responses', handshake)
  await closeAll([await open()])
})

// The key is looked at every 30 seconds too, which must not be what ends the connection here.
test('a key that is revoked ends its connection at the next message', { timeout: 25_000 }, async () => {
  const { id, key } = await newKey()
  const client = await openSocket(server.url, key)
  await client.ask({ model, input: 'Hello' })
  assert.ok((await server.call(`/api/v1/keys/${id}`, { method: 'DELETE' })).status < 300)
  await waitFor('the refusal', async () => {
    if (client.socket.readyState === 1)
      await Promise.race([client.ask({ model, input: 'Hello' }), client.closed])
    return client.events.some(({ error }) => error?.code === 'invalid_api_key')
  })
  assert.deepEqual(await endOf(client), [1008, 'error', 'invalid_api_key'])
})

test('a message over the limit ends the connection and is logged', async () => {
  const client = await open()
  client.send({ type: 'response.create', model, input: 'x'.repeat(1_100_000) })
  assert.equal(await client.closed, 1009)
  await waitFor('the record', () => server.settled().some(({ statusCode }) => statusCode === 413))
})

test('large messages of several clients that are not complete yet have a limit together', async () => {
  const clients = [await open(), await open()]
  for (const { socket } of clients) {
    // The header of a text frame of 900,000 bytes with the mask 0, and most of it.
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0d, 0xbb, 0xa0, 0, 0, 0, 0])
    const stream = Reflect.get(socket, '_socket') as Socket
    stream.write(Buffer.concat([header, Buffer.alloc(700_000, 'x')]))
  }
  const ended = await Promise.race(clients.map(endOf))
  assert.deepEqual(ended, [1013, 'error', 'unavailable'])
  for (const { socket } of clients) socket.terminate()
  await Promise.all(clients.map(({ closed }) => closed))
})

test('more messages than may wait end the connection after the response that runs', async () => {
  server.fake.script('anthropic', { text: 'slow words that take their time', chunkEveryMs: 30 })
  const client = await open()
  for (let count = 0; count < 12; count++) client.send({ type: 'response.create', model, input: 'Hello' })
  assert.deepEqual(await endOf(client), [1008, 'error', 'rate_limit'])
  assert.equal(client.events.filter(({ type }) => type === 'response.completed').length, 1)
})

test('binary messages are refused', async () => {
  const client = await open()
  client.socket.send(Buffer.from('{}'))
  assert.deepEqual(await endOf(client), [1003, 'error', 'invalid_request'])
})

test('open conversations share the memory of the process; one that does not fit is sent whole', async () => {
  const [one, other] = [await open(), await open()]
  // The fake provider repeats what it was asked.
  const input = 'x'.repeat(100_000)
  const first = await one.ask({ model, store: false, input })
  const second = await other.ask({ model, store: false, input })
  const goOn = (client: TestSocket, id: string) =>
    client.ask({ model, store: false, previous_response_id: id, input: 'Go on.' })
  assert.equal((await goOn(one, first.at(-1)?.['response'].id)).at(-1)?.['type'], 'response.completed')
  const [missed] = await goOn(other, second.at(-1)?.['response'].id)
  assert.equal(missed?.['error'].code, 'previous_response_not_found')
  await closeAll([one, other])
})
