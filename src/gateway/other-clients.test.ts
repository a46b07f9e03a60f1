import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { exampleModels, startGateway } from '#test/gateway'

// What clients of other providers' formats rely on.

const server = await startGateway()
const { fake, key } = server
const hello = [{ role: 'user' as const, content: 'Hello' }]
const version = { 'anthropic-version': '2023-06-01' }
const client = new Anthropic({ apiKey: key, baseURL: server.url, maxRetries: 0 })

beforeEach(() => fake.reset())

test('input tokens are counted by the routes of the providers, and estimated where there is none', async () => {
  const tools = [{ name: 'look_up', input_schema: { type: 'object' as const, properties: {} } }]
  const messages = [{ role: 'user' as const, content: 'x'.repeat(400) }]
  for (const [provider, path] of [
    ['anthropic', '/v1/messages/count_tokens'],
    ['openai', '/responses/input_tokens'],
    ['gemini', `/v1beta/models/${exampleModels.gemini}:countTokens`],
  ] as const) {
    const counted = await client.messages.countTokens({ model: exampleModels[provider], messages, tools })
    assert.ok(
      counted.input_tokens >= 100 && counted.input_tokens < 200,
      `${provider}: ${counted.input_tokens}`,
    )
    assert.equal(fake.requests.at(-1)?.path, path)
  }
  const sent = fake.requests.length
  for (const provider of ['perplexity', 'openrouter'] as const) {
    const counted = await client.messages.countTokens({ model: exampleModels[provider], messages })
    assert.equal(counted.input_tokens, 100)
  }
  assert.equal(fake.requests.length, sent)
})

test('a Messages stream of another model begins with an estimate of its input', async () => {
  const messages = [{ role: 'user' as const, content: 'x'.repeat(400) }]
  const stream = client.messages.stream({ model: exampleModels.openai, max_tokens: 20, messages })
  for await (const event of stream) {
    if (event.type !== 'message_start') continue
    assert.equal(event.message.usage.input_tokens, 100)
    break
  }
})

test('an error as the first event of a stream is an HTTP error', async () => {
  const cases: [path: string, model: string, more: object, status: number][] = [
    ['/v1/chat/completions', exampleModels.anthropic, { messages: hello }, 503],
    ['/v1/chat/completions', 'gpt-4.1', { messages: hello }, 502],
    ['/v1/responses', exampleModels.gemini, { input: 'Hello' }, 503],
    ['/v1/messages', exampleModels.anthropic, { messages: hello, max_tokens: 9 }, 529],
  ]
  for (const [path, model, more, expected] of cases) {
    const frames = {
      [exampleModels.anthropic]:
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      'gpt-4.1': 'data: {"error":{"message":"It broke.","type":"server_error","code":null}}\n\n',
      [exampleModels.gemini]:
        'data: {"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}\n\n',
    }[model]
    fake.script({ model }, { frames: [frames ?? ''] })
    const { status, headers, text } = await server.call(path, { key, json: { model, stream: true, ...more } })
    assert.equal(status, expected, `${path} ${model}: ${text}`)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  }
})

test('the error event of a Responses stream has the number after the last event', async () => {
  for (const model of [exampleModels.anthropic, exampleModels.openai]) {
    fake.script(
      { model },
      { text: 'Some words of a longer text', streamError: { afterChunks: 4, status: 500 } },
    )
    const { text } = await server.call('/v1/responses', {
      key,
      json: { model, stream: true, input: 'Hello' },
    })
    const numbers = [...text.matchAll(/"sequence_number":\s*(\d+)/g)].map(([, number]) => Number(number))
    assert.ok(numbers.length > 2, text)
    assert.deepEqual(numbers, [...numbers.keys()], `${model}: ${text.slice(-300)}`)
    assert.match(text.trimEnd().split('\n\n').at(-1) ?? '', /^event: error\ndata: \{"type":"error"/)
  }
})

test('x-api-key counts beside the Authorization of somebody else', async () => {
  const ask = (headers: Record<string, string>) => server.call('/v1/models', { headers })
  for (const authorization of ['Bearer sk-ant-oat01-foreign', 'Basic abc', 'Bearer undefined'])
    assert.equal((await ask({ authorization, 'x-api-key': key })).status, 200, authorization)
  assert.equal((await ask({ authorization: `Bearer ${key}`, 'x-api-key': 'sk-ant-foreign' })).status, 200)
  assert.equal((await ask({ authorization: 'Bearer sk-1', 'x-api-key': 'sk-2' })).status, 401)
  assert.equal((await ask({ authorization: `Bearer sb-${'x'.repeat(43)}`, 'x-api-key': key })).status, 401)
})

test('models are listed in pages of the Messages API for its clients', async () => {
  const all: string[] = []
  for await (const model of client.models.list({ limit: 4 })) all.push(model.id)
  assert.ok(all.length > 8 && all.includes(exampleModels.anthropic) && all.includes(exampleModels.gemini))
  const plain = await server.call('/v1/models', { key })
  assert.deepEqual(
    all,
    plain.json.data.map((model: { id: string }) => model.id),
  )
  const page = await server.call(`/v1/models?limit=2&before_id=${all[5]}`, { key, headers: version })
  assert.deepEqual([page.json.first_id, page.json.last_id, page.json.has_more], [all[3], all[4], true])
  const one = await client.models.retrieve(exampleModels.anthropic)
  assert.deepEqual([one.type, one.id], ['model', exampleModels.anthropic])
  assert.match(one.created_at, /^\d{4}-\d\d-\d\dT/)
  await assert.rejects(client.models.retrieve('claude-none'), (error: unknown) => {
    assert.ok(error instanceof Anthropic.NotFoundError)
    assert.equal(error.type, 'not_found_error')
    return true
  })
  const wrong = await server.call('/v1/models?after_id=none', { key, headers: version })
  assert.deepEqual([wrong.status, wrong.json.error.type], [400, 'invalid_request_error'])
})

test('a response of another model has every field that the API promises', async () => {
  const tools = [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } }]
  const json = { model: exampleModels.gemini, input: 'Hello', tools }
  const { json: response } = await server.call('/v1/responses', { key, json })
  assert.equal(typeof response.completed_at, 'number')
  const {
    store,
    temperature,
    top_p: topP,
    presence_penalty: presence,
    frequency_penalty: frequency,
  } = response
  assert.deepEqual([store, temperature, topP, presence, frequency], [false, 1, 1, 0, 0])
  assert.deepEqual(response.tools, [{ ...tools[0], description: null, strict: null }])
})
