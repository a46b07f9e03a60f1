import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { APIError, NotFoundError } from 'openai'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { exampleModels, keyOf, startGateway, type ProviderId } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, openai } = server
const providers = Object.keys(exampleModels) as ProviderId[]
const input = 'Hello from the gateway'

async function settledFor(requestId: string | null | undefined) {
  const found = () => server.settled().filter((each) => each.requestId === requestId)
  await waitFor('the record', () => found().length > 0)
  return found()
}

for (const provider of providers) {
  const model = exampleModels[provider]

  test(`${provider}: a response comes back whole, metered once, by the stored key`, async () => {
    const { data, response } = await openai.responses.create({ model, input }).withResponse()
    assert.deepEqual([data.object, data.status, data.model], ['response', 'completed', model])
    assert.match(data.output_text, /Hello from the gateway/)
    assert.equal(data.usage?.total_tokens, (data.usage?.input_tokens ?? 0) + (data.usage?.output_tokens ?? 0))
    const [settled, ...more] = await settledFor(response.headers.get('x-request-id'))
    assert.deepEqual(more, [])
    assert.deepEqual([settled?.provider, settled?.statusCode], [provider, 200])
    assert.equal(settled?.usage?.['output'], data.usage?.output_tokens)
    const request = fake.requests.at(-1)
    const sent = JSON.stringify([request?.headers, String(request?.query)])
    assert.ok(sent.includes(keyOf(provider)) && !sent.includes(server.key))
  })

  test(`${provider}: the client's own helper builds the same response from a stream, metered as well`, async () => {
    const stream = openai.responses.stream({ model, input })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    assert.deepEqual(
      [types[0], types[1], types.at(-1)],
      ['response.created', 'response.in_progress', 'response.completed'],
    )
    const whole = await stream.finalResponse()
    assert.match(whole.output_text, /Hello from the gateway/)
    assert.ok((whole.usage?.output_tokens ?? 0) > 0)
    const raw = await server.call('/v1/responses', { key: server.key, json: { model, input, stream: true } })
    assert.match(raw.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.ok(!raw.text.includes('[DONE]'))
    const [settled] = await settledFor(raw.headers.get('x-request-id'))
    assert.equal(settled?.usage?.['output'], whole.usage?.output_tokens)
  })

  test(`${provider}: an error inside the stream is the client's own error, and the last event`, async () => {
    fake.script(provider, {
      text: 'some words before the trouble',
      chunkEveryMs: 5,
      streamError: { afterChunks: 4, message: 'overloaded now' },
    })
    const pieces: string[] = []
    await assert.rejects(
      async () => {
        for await (const event of await openai.responses.create({ model, input, stream: true }))
          pieces.push(event.type)
      },
      (error) => error instanceof APIError && /overloaded now/.test(error.message),
    )
    assert.ok(pieces.includes('response.created'))
    assert.ok(!pieces.includes('response.completed'))
  })

  test(`${provider}: a stream that is cut without its end is an error, not a short response`, async () => {
    fake.script(provider, { text: 'some words before the cut', endAfterChunks: 4 })
    const response = await server.call('/v1/responses', {
      key: server.key,
      json: { model, input, stream: true },
    })
    assert.match(
      response.text,
      /event: error\ndata: \{"type":"error","sequence_number":\d+,"code":"provider_error"/,
    )
    assert.ok(!response.text.includes('response.completed'))
    const [settled] = await settledFor(response.headers.get('x-request-id'))
    assert.notEqual(settled?.errorMessage, null)
  })

  test(`${provider}: an upstream 429 reaches the caller as one, in OpenAI's format`, async () => {
    fake.script(provider, { error: { status: 429, message: 'the provider says no', retryAfter: 7 } })
    const response = await server.call('/v1/responses', { key: server.key, json: { model, input } })
    assert.deepEqual([response.status, response.json.error.code], [429, 'rate_limit'])
    assert.equal(response.headers.get('retry-after'), '7')
  })

  test(`${provider}: a client that leaves cancels the upstream call and is metered as 499`, async () => {
    fake.script(provider, { repeat: { text: 'word ', times: 10_000 }, chunkEveryMs: 5 })
    const controller = new AbortController()
    const { data: stream, response } = await openai.responses
      .create({ model, input, stream: true }, { signal: controller.signal })
      .withResponse()
    await stream[Symbol.asyncIterator]().next()
    controller.abort()
    await fake.requests.at(-1)?.waitForAbort()
    assert.equal((await settledFor(response.headers.get('x-request-id')))[0]?.statusCode, 499)
  })
}

test("OpenAI's response reaches the client as the bytes that were sent", async () => {
  const odd =
    '{ "id":"resp_1", "object":"response","created_at":1,"model":"m", "status":"completed","error":null, "output":[], "new":12345678901234567890 }'
  fake.script('openai', { body: odd })
  const response = await server.call('/v1/responses', {
    key: server.key,
    json: { model: 'gpt-6-sol', input },
  })
  assert.equal(response.text, odd)
  assert.equal(fake.requests.at(-1)?.path, '/responses')
})

test('a custom tool of a coding agent works with any model', async () => {
  const tools = [{ type: 'custom' as const, name: 'patch', description: 'Applies a patch' }]
  for (const provider of providers.filter((each) => each !== 'openai')) {
    fake.script(provider, { toolCalls: [{ name: 'patch', arguments: { input: '*** Begin "Patch"' } }] })
    const model = exampleModels[provider]
    const first = await openai.responses.create({ model, input, tools, store: false })
    const call = first.output.find((item) => item.type === 'custom_tool_call')
    assert.deepEqual([call?.name, call?.input], ['patch', '*** Begin "Patch"'])
    const result = {
      type: 'custom_tool_call_output' as const,
      call_id: call?.call_id ?? '',
      output: 'applied',
    }
    const next = [{ role: 'user', content: input }, ...first.output, result] as ResponseInput
    const second = await openai.responses.create({ model, input: next, tools, store: false })
    assert.match(second.output_text, /The tool answered: applied/, provider)
  }
})

test('the tool loop of the AI SDK works as it comes, taking for granted that responses are stored', async () => {
  const sdk = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key })
  const inputSchema = jsonSchema({ type: 'object', properties: {}, additionalProperties: false })
  const weather = tool({ inputSchema, execute: async () => 'rain at noon' })
  for (const provider of providers.filter((each) => each !== 'openai')) {
    const model = sdk(exampleModels[provider])
    const asked = { model, prompt: 'Call the tool weather', tools: { weather }, stopWhen: stepCountIs(3) }
    assert.match((await generateText(asked)).text, /The tool answered: rain at noon/, provider)
  }
})

test('bad requests are refused before anything goes upstream, and what is dropped is named', async () => {
  const sent = fake.requests.length
  await assert.rejects(openai.responses.create({ model: 'unheard-of-1', input }), NotFoundError)
  const ask = (json: object) => server.call('/v1/responses', { key: server.key, json })
  const cases: [object, string][] = [
    [{ input }, 'model'],
    [{ model: exampleModels.anthropic }, 'input'],
    [{ model: exampleModels.gemini, input, previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ model: exampleModels.openrouter, input, tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ model: exampleModels.openai, input, background: true }, 'background'],
    [{ model: exampleModels.openai, input, stream: 'yes' }, 'stream'],
  ]
  for (const [body, field] of cases) {
    const { status, json } = await ask(body)
    assert.deepEqual([status, json.error.param], [400, field], JSON.stringify(body))
  }
  assert.equal(fake.requests.length, sent)
  const response = await ask({
    model: exampleModels.anthropic,
    input,
    store: true,
    text: { verbosity: 'low' },
  })
  assert.equal(response.headers.get('x-signalbox-dropped'), 'store, text.verbosity')
})
