import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Reply } from '#fake-provider'
import { waitFor } from '#test/wait'
import { claude, gemini, gpt, messages, startRouted, trailOf } from './routed.ts'

const server = await startRouted()
const { fake, ask, called } = server
await server.route({ name: 'two', targets: [gpt, claude] })
await server.route({ name: 'three', targets: [gpt, claude, gemini], attempts: 3 })
await server.route({ name: 'once', targets: [gpt, claude], attempts: 1 })

beforeEach(() => server.recover())

const fails = (status: number): Reply => ({ error: { status } })

test('a plain model makes one call, whatever comes back', async () => {
  for (const reply of [
    fails(500),
    fails(503),
    fails(429),
    fails(401),
    { reset: 'before-headers' } as Reply,
  ]) {
    fake.reset()
    fake.script('openai', reply)
    const { status, headers } = await ask(gpt)
    assert.ok(status >= 400)
    assert.deepEqual(called(), ['openai'], JSON.stringify(reply))
    assert.equal(headers.get('x-signalbox-attempts'), '1')
  }
})

test('every response says what answered', async () => {
  for (const stream of [false, true]) {
    const { headers } = await ask('two', { stream })
    assert.deepEqual(
      ['provider', 'model', 'attempts'].map((name) => headers.get(`x-signalbox-${name}`)),
      ['openai', gpt, '1'],
    )
  }
})

// What is safe to try again: each with the calls that follow.
const safe: [string, Reply, string[]][] = [
  ['a reset before the headers', { reset: 'before-headers' }, ['openai', 'openai']],
  ['408', fails(408), ['openai', 'openai']],
  ['500', fails(500), ['openai', 'openai']],
  ['502', fails(502), ['openai', 'openai']],
  ['429', fails(429), ['openai', 'anthropic']],
  ['503', fails(503), ['openai', 'anthropic']],
  ['504', fails(504), ['openai', 'anthropic']],
  ['529', fails(529), ['openai', 'anthropic']],
  ['401', fails(401), ['openai', 'anthropic']],
  ['402', fails(402), ['openai', 'anthropic']],
  ['403', fails(403), ['openai', 'anthropic']],
  ['404, a model that has ended', fails(404), ['openai', 'anthropic']],
]
for (const [what, reply, calls] of safe)
  for (const stream of [false, true])
    test(`${what} is not the end of a request with a route${stream ? ', streamed' : ''}`, async () => {
      fake.script('openai', reply)
      const { status, text, headers } = await ask('two', { stream })
      assert.equal(status, 200, text)
      assert.deepEqual(called(), calls)
      assert.equal(headers.get('x-signalbox-attempts'), '2')
      assert.equal(headers.get('x-signalbox-provider'), calls.at(-1))
    })

test('a model that has ended is not asked again while another target may come back', async () => {
  fake.script('openai', fails(404))
  fake.script('anthropic', fails(503))
  assert.equal((await ask('two')).status, 200)
  assert.deepEqual(called(), ['openai', 'anthropic', 'anthropic'])
})

test('a route whose only model has ended makes one call', async () => {
  await server.route({ name: 'alone', targets: [gpt] })
  for (const status of [404, 410]) {
    fake.reset()
    fake.script('openai', fails(status))
    assert.equal((await ask('alone')).status, status)
    assert.deepEqual(called(), ['openai'])
  }
})

test('what the request itself has wrong is not tried elsewhere', async () => {
  for (const status of [400, 413, 422]) {
    fake.reset()
    fake.script('openai', fails(status))
    assert.equal((await ask('two')).status, status)
    assert.deepEqual(called(), ['openai'])
  }
})

test('an error as the first event of a stream is an error, and the next target has its turn', async () => {
  fake.script('openai', { streamError: { afterChunks: 0, status: 503, message: 'overloaded' } } as Reply)
  const { status, text } = await ask('two', { stream: true })
  assert.equal(status, 200)
  assert.match(text, /\[DONE\]/)
  assert.deepEqual(called(), ['openai', 'anthropic'])
})

test('once the first byte has reached the client there is no other call', async () => {
  const late = { afterChunks: 2, status: 503, message: 'overloaded' }
  for (const reply of [{ reset: { afterChunks: 2 } }, { streamError: late }]) {
    fake.reset()
    fake.script('openai', { text: 'one two three four', ...reply } as Reply)
    const { status, text } = await ask('two', { stream: true })
    assert.equal(status, 200)
    assert.match(text, /"error"/)
    assert.deepEqual(called(), ['openai'])
  }
})

test('the route bounds the calls', async () => {
  fake.always('openai', fails(503))
  fake.always('anthropic', fails(503))
  assert.equal((await ask('once')).status, 503)
  assert.deepEqual(called(), ['openai'])
  fake.requests.length = 0
  const { status, headers } = await ask('two')
  assert.equal(status, 503)
  assert.equal(headers.get('x-signalbox-attempts'), '3', 'two targets, and one of them again')
  assert.deepEqual(called().toSorted(), ['anthropic', 'openai', 'openai'])
})

test('every target has its turn before one has another', async () => {
  fake.always('openai', fails(500))
  fake.always('anthropic', fails(500))
  const { status } = await ask('three')
  assert.equal(status, 200)
  assert.deepEqual(called(), ['openai', 'anthropic', 'gemini'])
})

test('a request may name its own fallbacks, in the words of two other gateways', async () => {
  for (const more of [{ fallbacks: [claude] }, { models: [gpt, claude] }]) {
    fake.reset()
    fake.script('openai', fails(503))
    const { status, json, text } = await ask(gpt, more)
    assert.equal(status, 200, text)
    assert.equal(json.model, claude)
    assert.deepEqual(called(), ['openai', 'anthropic'])
  }
})

test('a first token that does not come in time is waited for elsewhere', async () => {
  await server.route({ name: 'quick', targets: [gpt, claude], first_token_timeout_ms: 150 })
  for (const hang of ['before-headers', 'after-headers'] as const) {
    fake.reset()
    fake.script('openai', { hang })
    const { status, text } = await ask('quick', { stream: true })
    assert.equal(status, 200, text)
    assert.match(text, /\[DONE\]/)
    assert.deepEqual(called(), ['openai', 'anthropic'])
  }
  fake.reset()
  fake.script('openai', { text: 'one two three four', chunkEveryMs: 100 })
  await ask('quick', { stream: true })
  assert.deepEqual(called(), ['openai'], 'a slow stream that has begun is not cut')
})

test('a provider that hangs has half of the time of a request, and another the rest', async () => {
  for (const stream of [false, true]) {
    fake.reset()
    fake.script('openai', { hang: 'before-headers' })
    const { status } = await ask('two', { stream }, { 'x-signalbox-timeout-ms': '3000' })
    assert.equal(status, 200)
    assert.deepEqual(called(), ['openai', 'anthropic'])
  }
})

test("the request's own time limit ends all of its calls", async () => {
  for (const provider of ['openai', 'anthropic'] as const) fake.always(provider, { hang: 'before-headers' })
  const { status, json } = await ask('two', {}, { 'x-signalbox-timeout-ms': '200' })
  assert.deepEqual([status, json.error.code], [504, 'provider_timeout'])
  for (const value of ['0', 'soon', '-1', '1.5']) {
    const refused = await ask('two', {}, { 'x-signalbox-timeout-ms': value })
    assert.deepEqual([refused.status, refused.json.error.param], [400, 'x-signalbox-timeout-ms'])
  }
})

test('a client that has left is not served any further', async () => {
  fake.always('openai', { ...fails(503), headersAfterMs: 200 })
  const gone = new AbortController()
  const asked = fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'two', messages }),
    signal: gone.signal,
  })
  await fake.waitForRequests(1)
  gone.abort()
  await assert.rejects(asked)
  await waitFor('the end of the request', () => server.settled().some(({ statusCode }) => statusCode === 499))
  assert.deepEqual(called(), ['openai'])
})

test('a client that leaves during a pause is not served any further', async () => {
  fake.always('openai', fails(500))
  const before = new Set(server.settled().map(({ requestId }) => requestId))
  const gone = new AbortController()
  const asked = fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'two', messages }),
    signal: gone.signal,
  })
  await waitFor('the first response', () => fake.requests[0]?.answered)
  gone.abort()
  await assert.rejects(asked)
  const isIt = (each: { requestId: string; statusCode: number }): boolean =>
    each.statusCode === 499 && !before.has(each.requestId)
  const settled = await waitFor('the end of the request', () => server.settled().find(isIt))
  const headers = new Headers({ 'x-request-id': settled.requestId })
  assert.equal((await trailOf(server, { headers })).attempts.length, 1)
})

test('one row has every call, what answered, and what each one said', async () => {
  fake.script('openai', fails(503))
  const answer = await ask('two')
  const { row, attempts } = await trailOf(server, answer)
  assert.deepEqual(
    attempts.map(({ provider, model, status_code, error_code }) => [
      provider,
      model,
      status_code,
      error_code,
    ]),
    [
      ['openai', gpt, 503, 'provider_error'],
      ['anthropic', claude, 200, null],
    ],
  )
  assert.deepEqual(
    [row['route'], row['provider'], row['model'], row['status_code']],
    ['two', 'anthropic', claude, 200],
  )
})

test('a plain request has the one call that it made', async () => {
  const { row, attempts } = await trailOf(server, await ask(gpt))
  assert.deepEqual([row['route'], attempts.map(({ status_code }) => status_code)], [null, [200]])
})
