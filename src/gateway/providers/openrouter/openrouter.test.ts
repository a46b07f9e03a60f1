import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Fault } from '#kernel/errors'
import { startFakeProvider } from '#fake-provider'
import { noUsage } from '../../wire/chunk-writer.ts'
import { chunksOf, cut, readAll, readUntilFault, requestOf, send } from '../../passthrough/testing.ts'
import { openrouter } from './index.ts'
import { upstreamModel } from './model-name.ts'

const fake = await startFakeProvider()
const base = fake.baseUrls.OPENROUTER_BASE_URL
after(() => fake.close())
afterEach(() => fake.reset())

const model = 'openrouter/anthropic/claude-opus-5.5'
const messages = [{ role: 'user', content: 'Hello Zoë 🙂' }]

async function faultOf(reply: object, body: object = {}): Promise<Fault> {
  fake.script('openrouter', reply)
  return send(openrouter, base, { model, messages, ...body }).then(
    () => assert.fail('no fault'),
    (thrown: unknown) => thrown as Fault,
  )
}

test('only the gateway’s own prefix is taken from a model name', () => {
  const names: [string, string][] = [
    ['openrouter/anthropic/claude-opus-5.5', 'anthropic/claude-opus-5.5'],
    ['openrouter/meta-llama/llama-3.3-70b-instruct:free', 'meta-llama/llama-3.3-70b-instruct:free'],
    ['openrouter/~anthropic/claude-fable-latest', '~anthropic/claude-fable-latest'],
    ['openrouter/auto', 'openrouter/auto'],
    ['openrouter/openrouter/auto', 'openrouter/auto'],
    ['openrouter/a/b/c', 'a/b/c'],
  ]
  for (const [requested, upstream] of names) assert.equal(upstreamModel(requested), upstream)
})

test('nothing but the model name changes on the way to OpenRouter', () => {
  const raw =
    '{"model":"openrouter/a/b","messages":[{"role":"assistant","reasoning_details":[{"signature":"s+/=\\u0041"}]}],"stream":true,"provider":{"order":["x"]},"top_k":1.0}'
  const exchange = openrouter.chat(requestOf(JSON.parse(raw) as object, raw))
  assert.equal(Buffer.from(exchange.body).toString(), raw.replace('openrouter/a/b', 'a/b'))
  const auto = '{ "model":"openrouter/auto", "messages":[] }'
  assert.equal(
    Buffer.from(openrouter.chat(requestOf(JSON.parse(auto) as object, auto)).body).toString(),
    auto,
  )
})

test('more than one choice is refused, because OpenRouter would silently give one', () => {
  assert.throws(() => openrouter.chat(requestOf({ model, messages, n: 2 })), { status: 400, param: 'n' })
  assert.ok(openrouter.chat(requestOf({ model, messages, n: 1 })))
})

test('a plain response reaches the client as the bytes that OpenRouter sent, with its cost to the last digit', async () => {
  fake.script('openrouter', {
    usage: { input: 1000, cached: 300, cacheWrite: 100, output: 50, reasoning: 20 },
  })
  const { text, upstream, usage } = await send(openrouter, base, {
    model,
    messages,
    reasoning: { effort: 'high' },
  })
  assert.equal(text, upstream.toString())
  // 1,000 - 300 - 100 = 600; 1,000 x 0.000004 + 50 x 0.00002 = 0.004 + 0.001 = 0.005 dollars.
  assert.deepEqual(usage, {
    ...noUsage,
    uncached: 600,
    cacheRead: 300,
    cacheWrite: 100,
    output: 50,
    reasoning: 20,
    statedCost: '0.005',
  })
})

test('the stated cost loses no digit, and the inference is added where the caller’s own upstream key paid for it', () => {
  const read = (usage: string) =>
    openrouter
      .chat(requestOf({ model, messages }))
      .response(Buffer.from(`\n \n{"choices":[],"usage":${usage}}`)).usage?.statedCost
  const tokens = '"prompt_tokens":1,"completion_tokens":1'
  assert.equal(read(`{${tokens},"cost":0.000012345678901234567}`), '0.000012345678901234567')
  assert.equal(read(`{${tokens},"cost":9.5e-7}`), '0.00000095')
  assert.equal(
    read(`{${tokens},"cost":0.1,"is_byok":true,"cost_details":{"upstream_inference_cost":0.2}}`),
    '0.3',
  )
  assert.equal(
    read(`{${tokens},"cost":0.1,"is_byok":false,"cost_details":{"upstream_inference_cost":0.2}}`),
    '0.1',
  )
  assert.equal(read(`{${tokens}}`), null)
})

test('a stream keeps comments, reasoning and tool calls; usage is metered and hidden unless asked for', async () => {
  const tools = [
    { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
  ]
  const body = {
    model,
    messages: [{ role: 'user', content: 'call the tool in parallel 🙂' }],
    tools,
    reasoning: { effort: 'low' },
    stream: true,
  }
  const told = await send(openrouter, base, { ...body, stream_options: { include_usage: true } })
  assert.equal(told.text, told.upstream.toString())
  assert.ok(told.text.startsWith(': OPENROUTER PROCESSING\n\n'))
  const quiet = await send(openrouter, base, body)
  assert.ok(quiet.text.startsWith(': OPENROUTER PROCESSING\n\n'))
  assert.ok(chunksOf(quiet.text).every((chunk) => chunk['usage'] === undefined))
  assert.equal(chunksOf(quiet.text).length, chunksOf(told.text).length - 1)
  assert.deepEqual(quiet.usage, told.usage)
  assert.ok(quiet.usage?.statedCost)
  for (const how of [{}, { stream_options: { include_usage: true } }]) {
    const request = requestOf({ ...body, ...how })
    const whole = readAll(openrouter.chat(request).stream(), [told.upstream])
    for (let seed = 0; seed < 40; seed += 1) {
      assert.deepEqual(readAll(openrouter.chat(request).stream(), cut(told.upstream, seed)), whole)
    }
  }
})

test('an error in the middle of a stream is a fault after the text that came before it', async () => {
  const fault = await faultOf(
    { text: 'a b c', streamError: { afterChunks: 4, status: 502, message: 'Provider disconnected' } },
    { stream: true },
  )
  assert.deepEqual([fault.status, fault.message], [502, 'Provider disconnected'])
  const before = 'data: {"choices":[{"index":0,"delta":{"content":"said"},"finish_reason":null}]}\n\n'
  const limited = 'data: {"choices":[],"error":{"code":429,"message":"busy"}}\n\n'
  const cutOff = readUntilFault(openrouter.chat(requestOf({ model, messages, stream: true })).stream(), [
    Buffer.from(before + limited),
  ])
  assert.deepEqual([cutOff.text, cutOff.fault.status, cutOff.fault.code], [before, 429, 'rate_limit'])
})

test('errors keep OpenRouter’s meaning', async () => {
  assert.deepEqual(
    [(await faultOf({ error: { status: 402 } })).status, (await faultOf({ error: { status: 404 } })).status],
    [402, 404],
  )
  assert.match((await faultOf({ error: { status: 402 } })).message, /Insufficient credits/)
  const limited = await faultOf({ error: { status: 429 } })
  assert.deepEqual(
    [limited.code, limited.headers['retry-after'], limited.headers['x-ratelimit-remaining']],
    ['rate_limit', '7', '0'],
  )
  assert.equal((await faultOf({ error: { status: 503 } })).status, 503)
  assert.equal((await faultOf({ error: { status: 529 } })).status, 503)
  assert.equal((await faultOf({ error: { status: 502 } })).status, 502)
  const key = await faultOf({ error: { status: 401 } })
  assert.deepEqual(
    [key.status, key.message],
    [502, 'OpenRouter refused the stored provider key (status 401).'],
  )
})

test('a text refused by moderation is the caller’s to know, not a bad key', async () => {
  const fault = await faultOf({ error: { status: 403 } })
  assert.deepEqual([fault.status, fault.message], [403, 'Input was flagged by moderation'])
  const other = await faultOf({ error: { status: 403, type: 'forbidden' } })
  assert.equal(other.status, 502)
})

test('an error body with status 200 is a fault that quotes the upstream’s own words', async () => {
  const raw = JSON.stringify({ error: { message: 'context too long' } })
  const json = {
    error: { code: 400, message: 'Provider returned error', metadata: { raw, provider_name: 'Azure' } },
  }
  const fault = await faultOf({ body: { json } })
  assert.deepEqual([fault.status, fault.message], [400, 'Provider returned error (Azure: context too long)'])
  const inStream = await faultOf(
    { body: { json: { error: { code: 402, message: 'no credit' } } } },
    { stream: true },
  )
  assert.deepEqual([inStream.status, inStream.message], [402, 'no credit'])
})

test('the model list carries exact prices for a million tokens, sizes and capabilities', async () => {
  const answer: unknown = await (await fetch(`${base}/models`)).json()
  const { models } = openrouter.models.read(answer)
  const flash = models.find(({ id }) => id === 'openrouter/google/gemini-3.8-flash')
  assert.deepEqual(
    { ...flash, capabilities: flash?.capabilities.filter((each) => /^tools$|reasoning|put:/.test(each)) },
    {
      id: 'openrouter/google/gemini-3.8-flash',
      created: 1_790_000_000,
      ownedBy: 'google',
      name: 'Google: Gemini 3.8 Flash',
      contextLength: 1_048_576,
      maxOutput: 65_536,
      inputPrice: '0.825',
      outputPrice: '4.125',
      cacheReadPrice: '0.0825',
      cacheWritePrice: null,
      requestPrice: '0',
      otherPrices: null,
      capabilities: [
        'include_reasoning',
        'reasoning',
        'tools',
        'input:text',
        'input:image',
        'input:file',
        'output:text',
      ],
    },
  )
  const haiku = models.find(({ id }) => id === 'openrouter/anthropic/claude-haiku-5.5')
  assert.deepEqual(haiku?.otherPrices, {
    tiers: [{ aboveTokens: 100_000, inputPrice: '0.5', outputPrice: '2.5' }],
  })
  const auto = models.find(({ id }) => id === 'openrouter/auto')
  assert.deepEqual([auto?.inputPrice, auto?.outputPrice], [null, null])
  assert.equal(models.find(({ id }) => id.endsWith(':free'))?.inputPrice, '0')
  const odd = openrouter.models.read({
    data: [{ id: 'a/b', pricing: { prompt: 0.0000001, completion: 'x', request: null } }, 5],
  })
  assert.deepEqual(
    odd.models.map((each) => [each.inputPrice, each.outputPrice, each.requestPrice]),
    [['0.1', null, null]],
  )
})

test('the list also prices long cache writes, searches and long prompts', () => {
  const pricing = {
    prompt: '0.000003',
    completion: '0.000015',
    input_cache_write_1h: '0.000006',
    web_search: '0.01',
    overrides: [
      { min_prompt_tokens: 500_000, prompt: '0.000009' },
      { min_prompt_tokens: 200_000, prompt: '0.000005', completion: '0.00002', input_cache_read: '-1' },
      { min_prompt_tokens: 200_000, prompt: '0.000006', input_cache_write_1h: '0.000012' },
      { min_prompt_tokens: 100_000, utc_start: '08:00', prompt: '0.000001' },
      { utc_days: [0, 6], prompt: '0' },
      'odd',
    ],
  }
  const [model] = openrouter.models.read({ data: [{ id: 'a/b', pricing }] }).models
  assert.deepEqual(model?.otherPrices, {
    cacheWriteLongPrice: '6',
    unitPrices: { web_search: '0.01' },
    tiers: [
      { aboveTokens: 200_000, inputPrice: '6', outputPrice: '20', cacheWriteLongPrice: '12' },
      { aboveTokens: 500_000, inputPrice: '9' },
    ],
  })
})
