import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { Fault } from '#kernel/errors'
import { startFakeProvider } from '#fake-provider'
import { chunksOf, cut, readAll, requestOf, send } from '../../passthrough/testing.ts'
import { openai } from './index.ts'

const fake = await startFakeProvider()
const base = fake.baseUrls.OPENAI_BASE_URL
after(() => fake.close())
afterEach(() => fake.reset())

const hello = [{ role: 'user', content: 'Hello Zoë 🙂' }]

function sent(body: object, raw?: string): string {
  return Buffer.from(openai.chat(requestOf(body, raw)).body).toString()
}

test('a request goes to OpenAI byte for byte, unknown fields and odd spacing included', () => {
  const raw =
    '{ "model":"gpt-4.1",  "messages":[{"role":"user","content":"h\\u00e9"}], "max_tokens":5, "brand_new":{"a":1.0,"b":12345678901234567890} }'
  assert.equal(sent(JSON.parse(raw) as object, raw), raw)
})

test('a stream asks OpenAI for usage, and nothing else changes', () => {
  const raw = '{"model":"gpt-4.1", "messages":[], "stream":true}'
  assert.equal(
    sent(JSON.parse(raw) as object, raw),
    `{"stream_options":{"include_usage":true},${raw.slice(1)}`,
  )
  const asked = '{"model":"gpt-4.1","messages":[],"stream":true,"stream_options":{"include_usage":true}}'
  assert.equal(sent(JSON.parse(asked) as object, asked), asked)
  const padded = {
    model: 'gpt-4.1',
    messages: [],
    stream: true,
    stream_options: { include_obfuscation: false },
  }
  assert.deepEqual(JSON.parse(sent(padded)), {
    ...padded,
    stream_options: { include_obfuscation: false, include_usage: true },
  })
  assert.deepEqual(JSON.parse(sent({ ...padded, stream_options: null })), {
    ...padded,
    stream_options: { include_usage: true },
  })
})

test('the limit gets its new name for models that reason, and only for them', () => {
  const renamed = (model: string) =>
    Object.keys(JSON.parse(sent({ model, messages: [], max_tokens: 5 })) as object)
  for (const model of [
    'gpt-5.1',
    'gpt-5-mini',
    'gpt-6-astra',
    'gpt-6.1-sol',
    'o3',
    'o4-mini',
    'ft:gpt-5.1:team::x',
  ]) {
    assert.deepEqual(renamed(model), ['model', 'messages', 'max_completion_tokens'], model)
  }
  for (const model of ['gpt-4.1', 'gpt-4o', 'gpt-5-chat-latest', 'chat-latest', 'ft:gpt-4.1-mini:team::x']) {
    assert.deepEqual(renamed(model), ['model', 'messages', 'max_tokens'], model)
  }
  const both = { model: 'gpt-5.1', messages: [], max_tokens: 5, max_completion_tokens: 6 }
  assert.deepEqual(JSON.parse(sent(both)), both)
  assert.deepEqual(JSON.parse(sent({ ...both, max_completion_tokens: null })), {
    model: 'gpt-5.1',
    messages: [],
    max_completion_tokens: 5,
  })
})

test('metadata that OpenAI would refuse stays with the gateway, and the response says so', () => {
  const flat = { model: 'gpt-4.1', messages: [], store: true, metadata: { team: 'a' } }
  assert.equal(sent(flat), JSON.stringify(flat))
  for (const metadata of [
    { nested: { a: 1 } },
    { count: 1 },
    { long: 'x'.repeat(513) },
    Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])),
  ]) {
    const exchange = openai.chat(requestOf({ ...flat, metadata }))
    const { metadata: _kept, ...rest } = flat
    assert.deepEqual(JSON.parse(Buffer.from(exchange.body).toString()), rest)
    assert.deepEqual(exchange.dropped, ['metadata'])
  }
})

test('a plain response reaches the client as the bytes that OpenAI sent', async () => {
  fake.script('openai', { usage: { input: 100, cached: 60, cacheWrite: 15, output: 12, reasoning: 4 } })
  const { text, upstream, usage } = await send(openai, base, { model: 'gpt-4.1', messages: hello })
  assert.equal(text, upstream.toString())
  // 100 - 60 - 15 = 25 tokens were neither read from nor written to the cache.
  assert.deepEqual(
    [usage?.uncached, usage?.cacheRead, usage?.cacheWrite, usage?.output, usage?.reasoning],
    [25, 60, 15, 12, 4],
  )
})

test('a client that did not ask for usage gets the stream without that chunk; the gateway meters the same', async () => {
  const body = { model: 'gpt-4.1', messages: hello, stream: true }
  const quiet = await send(openai, base, body)
  const told = await send(openai, base, { ...body, stream_options: { include_usage: true } })
  assert.ok(quiet.usage && told.usage)
  assert.deepEqual(quiet.usage, told.usage)
  assert.ok(chunksOf(quiet.text).every((chunk) => !chunk['usage']))
  assert.equal(told.text, told.upstream.toString())
  assert.ok(quiet.text.endsWith('data: [DONE]\n\n'))
  assert.equal(quiet.delivered, 'Echo: Hello Zoë 🙂')
})

test('tool calls, several choices, logprobs and refusals stream through unchanged wherever the bytes are cut', async () => {
  const tools = [
    {
      type: 'function',
      function: { name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
    },
  ]
  const requests = [
    { messages: [{ role: 'user', content: 'call the tool in parallel' }], tools },
    { messages: hello, n: 3 },
    { messages: hello, logprobs: true },
    { messages: [{ role: 'user', content: '日本 🙂 "usage": {"error"}' }] },
  ]
  for (const each of requests) {
    const body = { model: 'gpt-4.1', stream: true, stream_options: { include_usage: true }, ...each }
    const { text, upstream, usage } = await send(openai, base, body)
    assert.equal(text, upstream.toString())
    for (const wantsUsage of [true, false]) {
      const request = requestOf({ ...body, stream_options: { include_usage: wantsUsage } })
      const whole = readAll(openai.chat(request).stream(), [upstream])
      assert.deepEqual(whole.usage, usage)
      for (let seed = 0; seed < 25; seed += 1) {
        assert.deepEqual(readAll(openai.chat(request).stream(), cut(upstream, seed)), whole)
      }
    }
  }
})

test('an error in the middle of a stream is a fault with OpenAI’s words', async () => {
  fake.script('openai', { streamError: { afterChunks: 2, message: 'it broke' } })
  await assert.rejects(send(openai, base, { model: 'gpt-4.1', messages: hello, stream: true }), (error) => {
    assert.ok(error instanceof Fault)
    return error.status === 502 && error.message === 'it broke'
  })
})

test('a stream that ends too early, a broken body and a page are faults, never empty answers', async () => {
  const broken = [
    { reply: { endAfterChunks: 2 }, stream: true },
    { reply: { truncateBytes: 100 }, stream: false },
    { reply: { body: '<html>oops</html>' }, stream: false },
    { reply: { body: '<html>oops</html>' }, stream: true },
    { reply: { body: { json: { error: { message: 'no', code: 500 } } } }, stream: false },
    { reply: { body: { json: { id: 'x' } } }, stream: false },
    { reply: { body: 'null' }, stream: false },
  ]
  for (const { reply, stream } of broken) {
    fake.script('openai', reply)
    await assert.rejects(send(openai, base, { model: 'gpt-4.1', messages: hello, stream }), {
      name: 'Fault',
      status: 502,
    })
  }
})

test('errors of OpenAI keep status, message and waiting time', async () => {
  const fault = async (error: { status: number }): Promise<Fault> => {
    fake.script('openai', { error })
    return send(openai, base, { model: 'gpt-4.1', messages: hello }).then(
      () => assert.fail('no fault'),
      (thrown: unknown) => thrown as Fault,
    )
  }
  const limited = await fault({ status: 429 })
  assert.deepEqual([limited.status, limited.code, limited.headers['retry-after']], [429, 'rate_limit', '7'])
  assert.equal(limited.headers['x-ratelimit-remaining-requests'], '0')
  assert.deepEqual([(await fault({ status: 401 })).status, (await fault({ status: 500 })).status], [502, 502])
  assert.equal((await fault({ status: 503 })).status, 503)
})

test('the model list holds what can be asked for by name', async () => {
  const answer: unknown = await (
    await fetch(`${base}/models`, { headers: { authorization: 'Bearer sk-test' } })
  ).json()
  const { models } = openai.models.read(answer)
  assert.deepEqual(
    models.find(({ id }) => id === 'gpt-6-sol'),
    {
      id: 'gpt-6-sol',
      created: 1788000000,
      ownedBy: 'system',
      name: null,
      contextLength: null,
      maxOutput: null,
      inputPrice: null,
      outputPrice: null,
      cacheReadPrice: null,
      cacheWritePrice: null,
      requestPrice: null,
      capabilities: [],
    },
  )
  assert.ok(models.some(({ id }) => id === 'whisper-1'))
  const other = { data: [{ id: 'text-embedding-3-small' }, { id: 'gpt-6-sol' }, {}, null, { id: 5 }] }
  assert.deepEqual(
    openai.models.read(other).models.map(({ id }) => id),
    ['gpt-6-sol'],
  )
  assert.deepEqual(openai.models.read(null).models, [])
})
