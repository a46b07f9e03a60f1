import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

// Only the clock that keeps streams alive and the like: requests and their timeouts run on real time.
mock.timers.enable({ apis: ['setInterval'] })
const server = await startGateway()
const { fake } = server
const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] }
const ask = (json: object) =>
  server.call('/v1/chat/completions', { key: server.key, json: { ...body, ...json } })

test('a name that leads to a private address is refused when it is called, and nothing is sent', async () => {
  const address = fake.baseUrls.OPENAI_BASE_URL.replace('127.0.0.1', 'localhost')
  const added = await server.call('/providers', {
    key: server.key,
    json: { id: 'named', name: 'By name', prefixes: ['named/'], base_url: address },
  })
  assert.equal(added.status, 201, added.text)
  await server.call('/providers/named', {
    key: server.key,
    json: { api_key: 'sk-named-key-123456', name: 'key' },
    headers: { accept: 'application/json' },
  })
  const before = fake.requests.length
  const refused = await waitFor('the new provider to be routed', async () => {
    const response = await ask({ model: 'named/gpt-4.1' })
    return response.status !== 404 && response
  })
  assert.deepEqual([refused.status, refused.json.error.code], [502, 'provider_error'])
  assert.match(refused.json.error.message, /private network/)
  assert.equal(fake.requests.length, before)
})

const mebibyte = 1024 * 1024

/** A good response, made longer by white space before its last brace. */
function responseOf(bytes: number): string {
  const message = { role: 'assistant', content: 'A long one' }
  const text = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4.1',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  })
  return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`
}

test('a response of 64 MiB is passed on, and one byte more is refused', async () => {
  fake.script({ provider: 'openai' }, { body: responseOf(64 * mebibyte) })
  const whole = await ask({})
  assert.deepEqual([whole.status, whole.json?.choices[0].message.content], [200, 'A long one'])
  fake.script({ provider: 'openai' }, { body: responseOf(64 * mebibyte + 1) })
  const refused = await ask({})
  assert.deepEqual([refused.status, refused.json.error.code], [502, 'provider_error'])
  assert.match(refused.json.error.message, /64 MiB/)
})

test('a small response that unpacks to more than 64 MiB is refused', async () => {
  const packed = gzipSync(responseOf(64 * mebibyte + 1), { level: 1 })
  assert.ok(packed.length < mebibyte)
  fake.script({ provider: 'openai' }, { body: packed, headers: { 'content-encoding': 'gzip' } })
  const refused = await ask({})
  assert.deepEqual([refused.status, refused.json.error.code], [502, 'provider_error'])
})

test('a client that disconnects cancels a whole response upstream, and it is recorded as 499', async () => {
  const sent = fake.requests.length
  fake.script({ provider: 'openai' }, { hang: 'after-headers' })
  const controller = new AbortController()
  const asked = fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: controller.signal,
  })
  const upstream = await waitFor('the request upstream', () => fake.requests[sent])
  controller.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  await upstream.waitForAbort()
  const settled = await waitFor('the record', () =>
    server.settled().find(({ statusCode }) => statusCode === 499),
  )
  assert.equal(settled.isStream, false)
})

/** One stream for each API that is passed through, with model, path and its events. */
const streams = [
  {
    provider: 'openai',
    path: '/v1/chat/completions',
    model: 'gpt-4.1',
    events: [
      'data: {"id":"c","choices":[{"index":0,"delta":{"content":"one"}}]}\n\n',
      'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
      'data: [DONE]\n\n',
    ],
  },
  {
    provider: 'openai',
    path: '/v1/responses',
    model: 'gpt-4.1',
    events: [
      'event: response.created\ndata: {"type":"response.created","response":{"id":"r"}}\n\n',
      'event: response.in_progress\ndata: {"type":"response.in_progress","response":{"id":"r2"}}\n\n',
      'event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}\n\n',
    ],
  },
  {
    provider: 'anthropic',
    path: '/v1/messages',
    model: 'claude-sonnet-5-5',
    events: [
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n',
      'event: ping\ndata: {"type":"ping"}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ],
  },
] as const

/** The rest of a stream waits until the test releases it. */
function heldStream(events: readonly string[], cut: number) {
  const [first = '', second = '', last = ''] = events
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  async function* frames() {
    yield first + second.slice(0, cut)
    await gates[0].promise
    yield second.slice(cut)
    await gates[1].promise
    yield last
  }
  return { frames: frames(), sendRest: () => gates[0].resolve(), sendLast: () => gates[1].resolve() }
}

async function readStream(path: string, json: object): Promise<{ text: () => string; ended: Promise<void> }> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...json, stream: true }),
  })
  let text = ''
  const read = async (): Promise<void> => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  }
  return { text: () => text, ended: read() }
}

for (const { provider, path, model, events } of streams) {
  for (const [where, cut] of [
    ['inside a line', events[1].length - 8],
    ['between two lines', events[1].indexOf('\n') + 1],
  ] as const) {
    test(`${path}: after 15 s of silence a comment keeps the stream alive, but never ${where} of an event`, async (t) => {
      const held = heldStream(events, cut)
      t.after(held.sendLast)
      fake.script({ provider }, { frames: held.frames })
      const messages =
        path === '/v1/responses' ? { input: 'Hello' } : { messages: body.messages, max_tokens: 9 }
      const { text, ended } = await readStream(path, { model, ...messages })
      await waitFor('the first event', () => text().startsWith(events[0]))
      mock.timers.tick(15_000)
      held.sendRest()
      await waitFor('the second event', () => text().endsWith(events[1].slice(-8)))
      mock.timers.tick(10_000)
      mock.timers.tick(5_000)
      await waitFor('the comment', () => text().endsWith(`${events[1]}: keep-alive\n\n`))
      held.sendLast()
      await ended
      const received = text().split(/(?<=\n\n)/)
      assert.deepEqual(
        received.filter((event) => event !== ': keep-alive\n\n'),
        events,
      )
    })
  }
}

test('a silent stream that another call could replace gets its first comment after 30 s', async (t) => {
  const held = heldStream(streams[0].events, 0)
  t.after(held.sendLast)
  const gate = Promise.withResolvers<void>()
  async function* silent() {
    await gate.promise
    yield* held.frames
  }
  fake.script({ provider: 'openai' }, { frames: silent() })
  const before = fake.requests.length
  let opened: Awaited<ReturnType<typeof readStream>> | undefined
  const asked = readStream('/v1/chat/completions', { ...body, fallbacks: ['claude-sonnet-5-5'] })
  void asked.then((stream) => (opened = stream))
  await waitFor('the call', () => fake.requests.length > before)
  const stream = await waitFor('the headers', () => {
    mock.timers.tick(5_000)
    return opened
  })
  await waitFor('the comment', () => stream.text() === ': keep-alive\n\n')
  assert.equal(fake.requests.length, before + 1, 'no other call was made')
  gate.resolve()
  held.sendRest()
  held.sendLast()
  await stream.ended
  assert.equal(stream.text(), `: keep-alive\n\n${streams[0].events.join('')}`)
})

test('the header that names dropped fields stays short, however many a client sends', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 3_000 }, (_, number) => [`unknown_${number}`, 1]))
  const json = { model: 'claude-sonnet-5-5', input: 'Hello', ...unknown }
  const { status, headers, text } = await server.call('/v1/responses', { key: server.key, json })
  assert.equal(status, 200, text)
  const names = headers.get('x-signalbox-dropped') ?? ''
  assert.ok(names.startsWith('unknown_0, unknown_1, ') && names.endsWith(', and 2960 more'), names)
})

test('a request without a body is refused by name, and is no internal error', async () => {
  for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/messages/count_tokens', '/v1/responses']) {
    const { status, json } = await server.call(path, { key: server.key, method: 'POST' })
    assert.deepEqual([status, json.error.message], [400, 'The body is empty. Send a JSON value.'], path)
  }
})
