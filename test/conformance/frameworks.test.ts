import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import OpenAI, { APIError, BadRequestError, RateLimitError } from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources'
import { exampleModels, startGateway, type ProviderId } from '#test/gateway'

// What frameworks send by default, and what their clients read, on a model of each provider.

const server = await startGateway()
const { fake, openai } = server
const baseURL = `${server.url}/v1`
const anthropic = new Anthropic({ apiKey: server.key, baseURL: server.url, maxRetries: 0 })
const all = Object.keys(exampleModels) as ProviderId[]
/** Perplexity cannot require a call of a tool. */
const forcing = all.filter((provider) => provider !== 'perplexity')
const place = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const extract: ChatCompletionTool = {
  type: 'function',
  function: { name: 'extract', description: 'A place', parameters: place },
}
const hello: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }]
const lastBody = (): string => JSON.stringify(fake.requests.at(-1)?.json)

beforeEach(() => fake.reset())

for (const provider of forcing) {
  const model = exampleModels[provider]

  test(`${provider}: structured output by a forced call works in LangChain, openai and the Responses API`, async () => {
    fake.always(provider, { toolCalls: [{ name: 'extract', arguments: { city: 'Rome' } }] })
    const langchain = new ChatOpenAI({ model, apiKey: server.key, configuration: { baseURL }, maxRetries: 0 })
    const structured = langchain.withStructuredOutput<{ city: string }>(place, {
      method: 'functionCalling',
      name: 'extract',
    })
    assert.deepEqual(await structured.invoke('Where?'), { city: 'Rome' })
    const chat = await openai.chat.completions.create({
      model,
      messages: hello,
      tools: [extract],
      tool_choice: 'required',
    })
    assert.equal(chat.choices[0]?.message.tool_calls?.length, 1)
    const response = await openai.responses.create({
      model,
      input: 'Hello',
      store: false,
      tools: [{ type: 'function', name: 'extract', parameters: place, strict: false }],
      tool_choice: 'required',
    })
    assert.ok(response.output.some(({ type }) => type === 'function_call'))
  })
}

for (const provider of all) {
  const model = exampleModels[provider]
  const create = (messages: ChatCompletionMessageParam[], more: object = {}) =>
    openai.chat.completions.create({ model, messages, ...more }).withResponse()

  test(`${provider}: a JSON format beside tools that may not be called is a response in that format`, async () => {
    const schema = { ...place, additionalProperties: false }
    const { data } = await create(hello, {
      tools: [extract],
      tool_choice: 'none',
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
    })
    const { content, tool_calls: calls } = data.choices[0]?.message ?? {}
    assert.equal(typeof (JSON.parse(content ?? '') as { city: unknown }).city, 'string')
    assert.equal(calls?.length ?? 0, 0)
  })

  test(`${provider}: a conversation continues after a call whose arguments are not JSON`, async () => {
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'extract', arguments: '{"city' },
    }
    const { data } = await create(
      [
        { role: 'user', content: 'Where?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'not valid' },
        { role: 'user', content: 'Try again' },
      ],
      { tools: [extract] },
    )
    assert.notEqual(data.choices[0]?.message.content ?? '', '')
  })

  test(`${provider}: conversations of system messages only, and empty messages of the user, are answered`, async () => {
    for (const messages of [
      [{ role: 'system' as const, content: 'Say hello.' }],
      [...hello, { role: 'assistant' as const, content: 'Yes?' }, { role: 'user' as const, content: '' }],
    ]) {
      const { data } = await create(messages)
      assert.notEqual(data.choices[0]?.message.content ?? '', '')
    }
  })

  test(`${provider}: the end of streamed arguments names the tool, for the Responses client`, async () => {
    fake.script(provider, { toolCalls: [{ name: 'extract', arguments: { city: 'Rome' } }] })
    const stream = openai.responses.stream({
      model,
      input: 'Where?',
      store: false,
      tools: [{ type: 'function', name: 'extract', parameters: place, strict: false }],
    })
    const names: string[] = []
    for await (const event of stream)
      if (event.type === 'response.function_call_arguments.done')
        names.push((event as { name?: string }).name ?? '')
    if (provider !== 'openai') assert.deepEqual(names, ['extract'])
  })

  test(`${provider}: streamed reasoning can be joined, and its IDs and formats do not grow`, async () => {
    fake.script(provider, { reasoning: 'one two three four five', text: 'done' })
    const chunks = await openai.chat.completions.create({ model, messages: hello, stream: true })
    const words = new Map<string, number>()
    for await (const { choices } of chunks) {
      const { reasoning_details: details = [] } = (choices[0]?.delta ?? {}) as {
        reasoning_details?: { id?: string | null; format?: string | null; index?: number }[]
      }
      for (const { id, index = 0 } of details)
        if (id) words.set(`${index} ${id}`, (words.get(`${index} ${id}`) ?? 0) + 1)
    }
    for (const [id, count] of words) assert.equal(count, 1, id)
  })
}

test('the limits and the ID that a provider sends are in the headers of a success', async () => {
  for (const provider of ['anthropic', 'openai'] as const) {
    const asked = { model: exampleModels[provider], messages: hello }
    const { response } = await openai.chat.completions.create(asked).withResponse()
    assert.match(response.headers.get('x-upstream-request-id') ?? '', /^req_/)
    assert.ok([...response.headers.keys()].some((name) => name.includes('ratelimit')))
  }
})

test('a schema with free property names that is not strict is asked of Claude in words', async () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' } }
  const { data, response } = await openai.chat.completions
    .create({
      model: exampleModels.anthropic,
      messages: [{ role: 'user', content: 'Answer in JSON' }],
      response_format: { type: 'json_schema', json_schema: { name: 'free', schema } },
    })
    .withResponse()
  assert.match(response.headers.get('x-signalbox-dropped') ?? '', /response_format/)
  assert.equal(data.choices.length, 1)
  assert.match(lastBody(), /additionalProperties/)
})

test("the thread of Anthropic's tool runner is refused by other models, with the code on which it sends everything", async () => {
  const body = {
    model: exampleModels.openai,
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'Hi' }],
  }
  const thread = { thread: { id: 'thread_1' } }
  await assert.rejects(anthropic.messages.create({ ...body, ...thread }), (error) => {
    assert.ok(error instanceof Anthropic.BadRequestError)
    const { error: said } = error.error as { error: { details: unknown } }
    assert.deepEqual(said.details, { error_code: 'thread_unsupported_request' })
    return true
  })
})

test("the provider's own code is in the error of the client, and an overloaded provider is 529 for Anthropic's", async () => {
  const error = { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' }
  fake.script('openai', { status: 400, body: JSON.stringify({ error }) })
  await assert.rejects(openai.chat.completions.create({ model: 'gpt-4.1', messages: hello }), (thrown) => {
    assert.ok(thrown instanceof BadRequestError)
    const { upstream } = thrown.error as { upstream: { code: string } }
    assert.equal(upstream.code, 'context_length_exceeded')
    return true
  })
  fake.script('gemini', { error: { status: 503 } })
  const ask = {
    model: exampleModels.gemini,
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'Hi' }],
  }
  await assert.rejects(anthropic.messages.create(ask), (thrown) => {
    assert.ok(thrown instanceof Anthropic.APIError)
    assert.deepEqual([thrown.status, thrown.type], [529, 'overloaded_error'])
    return true
  })
})

test('a client with retries does not retry where the quota is used up, and does where a limit passes', async () => {
  const patient = new OpenAI({ apiKey: server.key, baseURL, maxRetries: 1 })
  const error = { message: 'Out of quota.', type: 'insufficient_quota', code: 'insufficient_quota' }
  fake.always('openai', { status: 429, body: JSON.stringify({ error }), headers: { 'retry-after-ms': '1' } })
  await assert.rejects(patient.chat.completions.create({ model: 'gpt-4.1', messages: hello }), RateLimitError)
  assert.equal(fake.requests.length, 1)
  fake.reset()
  fake.always('anthropic', { error: { status: 429, retryAfter: 0 } })
  const call = patient.chat.completions.create({ model: exampleModels.anthropic, messages: hello })
  await assert.rejects(call, RateLimitError)
  assert.equal(fake.requests.length, 2)
})

test('errors of translated Responses requests name the fields that the client sent', async () => {
  const call = openai.responses.create({
    model: exampleModels.anthropic,
    input: [{ type: 'function_call_output', call_id: 'call_nobody_made', output: 'x' }],
  })
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof APIError && error.status === 400)
    assert.doesNotMatch(`${error.param} ${error.message}`, /\bmessages\b/)
    return true
  })
})
