import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { exampleModels, startGateway, type ProviderId } from '#test/gateway'
import { openSocket, type SocketEvent } from '#test/socket'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, openai } = server
const providers = Object.keys(exampleModels) as ProviderId[]
const model = exampleModels.anthropic
const open = () => openSocket(server.url, server.key)
const lastBody = (): string => JSON.stringify(fake.requests.at(-1)?.json)
const responseOf = (events: SocketEvent[]) => events.at(-1)?.['response'] as SocketEvent
const textOf = (events: SocketEvent[]): string => JSON.stringify(responseOf(events)['output'])

type Settled = ReturnType<typeof server.settled>[number]
const settledWhere = (is: (request: Settled) => boolean) =>
  waitFor('the record', () => server.settled().find(is))

for (const provider of providers) {
  const own = exampleModels[provider]

  test(`${provider}: a message gets the events of a stream, and is logged as a request`, async () => {
    const client = await open()
    const events = await client.ask({ model: own, input: 'Hello over the socket' })
    const types = events.map(({ type }) => String(type))
    assert.deepEqual(
      [types[0], types[1], types.at(-1)],
      ['response.created', 'response.in_progress', 'response.completed'],
    )
    assert.deepEqual(
      events.map((event) => Number(event['sequence_number'])),
      events.map((_, index) => index),
    )
    assert.match(textOf(events), /Hello over the socket/)
    const settled = await settledWhere((each) => each.model === own)
    const { usage } = responseOf(events)
    assert.deepEqual(
      [settled.provider, settled.model, settled.statusCode, settled.isStream, settled.usage?.['output']],
      [provider, own, 200, true, usage.output_tokens],
    )
    client.socket.close()
  })

  test(`${provider}: a response that is not stored continues with only what is new`, async () => {
    const client = await open()
    const first = await client.ask({ model: own, store: false, input: 'The code word is cobalt.' })
    const { id } = responseOf(first)
    const next = { model: own, store: false, previous_response_id: id, input: 'Which word?' }
    const second = await client.ask(next)
    assert.equal(responseOf(second)['previous_response_id'], id)
    assert.match(lastBody(), /The code word is cobalt\..*Which word\?/)
    assert.ok(!lastBody().includes('previous_response_id'))
    const third = await client.ask({
      ...next,
      previous_response_id: responseOf(second)['id'],
      input: 'Sure?',
    })
    assert.match(lastBody(), /The code word is cobalt\..*Which word\?.*Sure\?/)
    assert.equal(third.at(-1)?.['type'], 'response.completed')
    client.socket.close()
  })
}

test('the openai client connects, asks, and reads events and errors', async () => {
  const client = new ResponsesWS(openai)
  const errors: string[] = []
  client.on('error', (error) => errors.push(error.message))
  const texts: string[] = []
  client.on('response.output_text.done', ({ text }) => texts.push(text))
  const done = new Promise<void>((resolve) => client.on('response.completed', () => resolve()))
  client.send({ type: 'response.create', model, input: 'Hello from the client' })
  await done
  assert.match(texts.join(''), /Hello from the client/)
  client.send({ type: 'response.create', model: 'no-such-model', input: 'Hello' })
  await waitFor('the error', () => errors.length === 1)
  assert.match(errors[0] ?? '', /no-such-model/)
  client.close()
})

test('the results of calls go back with the ID of the response that made them', async () => {
  for (const provider of ['anthropic', 'openai', 'gemini'] as const) {
    fake.script(provider, {
      reasoning: 'Look it up.',
      toolCalls: [{ name: 'weather', arguments: { in: 'Rome' } }],
    })
    const client = await open()
    const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }]
    const asked = { model: exampleModels[provider], store: false, tools }
    const first = await client.ask({ ...asked, input: 'Weather?', include: ['reasoning.encrypted_content'] })
    const call = (responseOf(first)['output'] as SocketEvent[]).find(({ type }) => type === 'function_call')
    const result = { type: 'function_call_output', call_id: call?.['call_id'], output: 'sunny' }
    const second = await client.ask({
      ...asked,
      previous_response_id: responseOf(first)['id'],
      input: [result],
    })
    assert.equal(second.at(-1)?.['type'], 'response.completed', JSON.stringify(second.at(-1)))
    assert.match(textOf(second), /sunny/)
    client.socket.close()
  }
})

test('a response is known on its own connection only, and only until a continuation of it fails', async () => {
  const [one, other] = [await open(), await open()]
  const { id } = responseOf(await one.ask({ model, store: false, input: 'Remember this.' }))
  const next = { model, store: false, previous_response_id: id, input: 'Go on.' }
  const [missed] = await other.ask(next)
  assert.deepEqual(
    [missed?.['status'], missed?.['error'].code, missed?.['error'].param],
    [400, 'previous_response_not_found', 'previous_response_id'],
  )
  const requestId = missed?.['headers']['x-request-id'] as string
  const settled = await settledWhere((each) => each.requestId === requestId)
  assert.deepEqual([settled.statusCode, settled.model], [400, model])

  const [failed] = await one.ask({ ...next, temperature: 'warm' })
  assert.equal(failed?.['status'], 400)
  const [again] = await one.ask(next)
  assert.equal(again?.['error'].code, 'previous_response_not_found')
  const whole = await one.ask({ model, store: false, input: 'The whole conversation.' })
  assert.equal(whole.at(-1)?.['type'], 'response.completed')
  one.socket.close()
  other.socket.close()
})

test('the result of a call that the continued response did not make is refused for every provider', async () => {
  const input = [{ type: 'function_call_output', call_id: 'call_of_nobody', output: 'sunny' }]
  for (const provider of providers) {
    const client = await open()
    const asked = { model: exampleModels[provider], store: false }
    const { id } = responseOf(await client.ask({ ...asked, input: 'Hello' }))
    const [refused] = await client.ask({ ...asked, previous_response_id: id, input })
    assert.deepEqual([refused?.['status'], refused?.['error'].param], [400, 'input'])
    client.socket.close()
  }
})

test('what OpenAI stored is continued by OpenAI', async () => {
  const client = await open()
  const own = exampleModels.openai
  const { id } = responseOf(await client.ask({ model: own, input: 'Hello' }))
  const events = await client.ask({ model: own, previous_response_id: id, input: 'More' })
  assert.ok(lastBody().includes(`"previous_response_id":"${id}"`))
  assert.equal(events.at(-1)?.['type'], 'response.completed')
  client.socket.close()
})

test('without generate the model is not asked, and the input counts for the next message', async () => {
  const client = await open()
  const asked = fake.requests.length
  const events = await client.ask({ model, generate: false, input: 'The code word is slate.' })
  assert.deepEqual(
    events.map(({ type }) => String(type)),
    ['response.created', 'response.completed'],
  )
  assert.equal(fake.requests.length, asked)
  await client.ask({ model, previous_response_id: responseOf(events)['id'], input: 'Which word?' })
  assert.match(lastBody(), /The code word is slate\..*Which word\?/)
  client.socket.close()
})

test('messages that come together are served one after the other', async () => {
  fake.script('anthropic', { text: 'the first response', chunkEveryMs: 20 })
  const client = await open()
  client.send({ type: 'response.create', model, input: 'one' })
  client.send({ type: 'response.create', model, input: 'two' })
  const ends = () => client.events.filter(({ type }) => type === 'response.completed')
  await waitFor('both responses', () => ends().length === 2)
  const firstEnd = client.events.findIndex(({ type }) => type === 'response.completed')
  const secondStart = client.events.findLastIndex(({ type }) => type === 'response.created')
  assert.ok(firstEnd < secondStart)
  assert.match(JSON.stringify(ends()[0]), /the first response/)
  assert.match(JSON.stringify(ends()[1]), /two/)
  client.socket.close()
})

test('an invalid message gets an error, and the connection stays open', async () => {
  const client = await open()
  const refused = async (message: object): Promise<unknown[]> => {
    const [event] = await client.ask(message)
    return [event?.['type'], event?.['status'], event?.['error'].param]
  }
  assert.deepEqual(await refused({ type: 'response.cancel' }), ['error', 400, 'type'])
  assert.deepEqual(await refused({ model, input: 1 }), ['error', 400, 'input'])
  assert.deepEqual(await refused({ input: 'Hello' }), ['error', 400, 'model'])
  assert.deepEqual(await refused({ model, input: 'Hello', stream_id: 'a' }), ['error', 400, 'stream_id'])
  assert.deepEqual(await refused({ model, input: 'Hello', background: true }), ['error', 400, 'background'])
  assert.deepEqual(await refused({ model: 'no-such-model', input: 'Hello' }), ['error', 404, 'model'])
  client.socket.send('{')
  await waitFor('the refusal', () => client.events.at(-1)?.['error'].message.includes('JSON'))
  const events = await client.ask({ model, input: 'Hello again' })
  assert.equal(events.at(-1)?.['type'], 'response.completed')
  client.socket.close()
})

test('an error of the provider, before or within the response, is an event with a status', async () => {
  const client = await open()
  fake.script('anthropic', { error: { status: 429, message: 'slow down', retryAfter: 7 } })
  const [limited] = await client.ask({ model, input: 'Hello' })
  assert.deepEqual(
    [limited?.['status'], limited?.['error'].code, limited?.['headers']['retry-after']],
    [429, 'rate_limit', '7'],
  )
  fake.script('anthropic', {
    text: 'some words before the trouble',
    streamError: { afterChunks: 2, message: 'overloaded now' },
  })
  const broken = (await client.ask({ model, input: 'Hello' })).at(-1)
  assert.deepEqual([broken?.['type'], broken?.['error'].message], ['error', 'overloaded now'])
  assert.ok(Number(broken?.['status']) >= 500 && Number(broken?.['sequence_number']) > 1)
  client.socket.close()
})

test('the first event has the ID of the request and names what the model could not take', async () => {
  const client = await open()
  const asked = { model: 'claude-opus-5-5', input: 'Hello', temperature: 0.1, store: true }
  const [created, ...later] = await client.ask(asked)
  assert.equal(created?.['headers']['x-signalbox-dropped'], 'store, temperature')
  const { json } = await server.call(`/api/v1/logs/${created?.['headers']['x-request-id']}`, {
    key: server.key,
  })
  assert.equal(json.model, asked.model)
  assert.ok(later.every((event) => event['headers'] === undefined))
  // A provider that has the API itself is asked as it is, also to continue what it stored.
  const own = { model: exampleModels.openai, input: 'Hello' }
  const first = await client.ask(own)
  const next = await client.ask({ ...own, previous_response_id: responseOf(first)['id'] })
  for (const [begin] of [first, next]) {
    assert.match(begin?.['headers']['x-request-id'], /^req_[0-9a-f]{32}$/)
    assert.equal(begin?.['headers']['x-signalbox-dropped'], undefined)
  }
  client.socket.close()
})

test('a client that disconnects cancels the call to the provider', async () => {
  fake.script('anthropic', { text: 'a long response '.repeat(50), chunkEveryMs: 50 })
  const client = await open()
  client.send({ type: 'response.create', model, input: 'Hello' })
  await waitFor('the first words', () =>
    client.events.some(({ type }) => type === 'response.output_text.delta'),
  )
  client.socket.terminate()
  const settled = await settledWhere(({ statusCode }) => statusCode === 499)
  assert.equal(settled.model, model)
})

test('the session that was named when the client connected is that of every message', async () => {
  const client = await openSocket(server.url, server.key, { 'x-signalbox-session': 'session-of-the-socket' })
  const [refused] = await client.ask({ model: 'no-such-model', input: 'Hello' })
  const { json } = await server.call(`/api/v1/logs/${refused?.['headers']['x-request-id']}`, {
    key: server.key,
  })
  assert.equal(json.session_key, 'session-of-the-socket')
  client.socket.close()
})

test('only a WebSocket with a valid key is opened, and elsewhere the header has no effect', async () => {
  const plain = await server.call('/v1/responses', { method: 'GET', key: server.key })
  assert.deepEqual([plain.status, plain.headers.get('upgrade')], [426, 'websocket'])
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  await assert.rejects(openSocket(server.url, 'sb-nobody'), /401/)
  const { WebSocket } = await import('ws')
  const elsewhere = new WebSocket(`${server.url.replace('http', 'ws')}/v1/models`, {
    headers: { ...upgrade, authorization: `Bearer ${server.key}` },
  })
  const [, response] = (await once(elsewhere, 'unexpected-response')) as [unknown, IncomingMessage]
  // The connection serves further requests: it was not handed over.
  assert.deepEqual([response.statusCode, response.headers.connection], [200, 'keep-alive'])
  elsewhere.on('error', () => undefined)
  elsewhere.terminate()
})
