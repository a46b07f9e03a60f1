import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'

import { startFakeProvider } from './index.ts'
import { objectsOf } from './json.ts'
import { at, eventsOf, joined, post } from './client.ts'

const fake = await startFakeProvider()
after(() => fake.close())
beforeEach(() => fake.reset())

const headers = { authorization: 'Bearer good' }
const agent = (body: object, key = headers) =>
  post(
    `${fake.baseUrls.PERPLEXITY_BASE_URL}/v1/agent`,
    { model: 'perplexity/sonar', input: 'hello', ...body },
    key,
  )
const sonar = (body: object) =>
  post(
    `${fake.baseUrls.PERPLEXITY_BASE_URL}/chat/completions`,
    { model: 'sonar', messages: [{ role: 'user', content: 'hello' }], ...body },
    headers,
  )
const router = (body: object, key = headers) =>
  post(
    `${fake.baseUrls.OPENROUTER_BASE_URL}/chat/completions`,
    { model: 'anthropic/claude-opus-5.5', messages: [{ role: 'user', content: 'hello' }], ...body },
    key,
  )

void test('the Agent API searches, cites and says what it cost', async () => {
  const answer: unknown = await (await agent({ tools: [{ type: 'web_search' }] })).json()
  assert.deepEqual(
    objectsOf(at(answer, 'output')).map((item) => item['type']),
    ['search_results', 'message'],
  )
  assert.equal(at(answer, 'output', 1, 'content', 0, 'text'), 'Echo: hello[1][2]')
  assert.equal(at(answer, 'usage', 'cost', 'tool_calls_cost'), 0.0025)
  assert.ok(Number(at(answer, 'usage', 'cost', 'total_cost')) > 0.0025)
})

void test('the Agent API streams, a function call whole in its last event', async () => {
  const events = await eventsOf(await agent({ tools: [{ type: 'web_search' }], stream: true }))
  assert.equal(joined(events, 'delta'), 'Echo: hello[1][2]')
  assert.deepEqual(
    events.slice(0, 4).map((event) => event.name),
    [
      'response.created',
      'response.in_progress',
      'response.reasoning.search_queries',
      'response.reasoning.search_results',
    ],
  )
  assert.equal(events.at(-1)?.name, 'response.completed')
  const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }]
  const called = await eventsOf(await agent({ input: 'call the tool', tools, stream: true }))
  const done = called.find((event) => event.name === 'response.output_item.done')
  assert.equal(at(done?.data, 'item', 'arguments'), '{}')
  assert.equal(at(called.at(-1)?.data, 'response', 'status'), 'requires_action')
})

void test('what Perplexity refuses is refused', async () => {
  const refused = async (response: Response, message: RegExp, status = 400) => {
    assert.match(await response.text(), message)
    assert.equal(response.status, status)
  }
  await refused(await agent({ stop: 'x' }), /unknown field \\"stop\\"/)
  await refused(await agent({ tool_choice: 'auto' }), /unknown field/)
  await refused(await agent({ model: 'sonar-pro' }), /Invalid model 'sonar-pro'/)
  await refused(await agent({ response_format: { type: 'json_object' } }), /json_object/)
  await refused(await agent({}, { authorization: 'Bearer bad' }), /Invalid API key/, 401)
  await refused(await sonar({ response_format: { type: 'json_object' } }), /expected tags/, 422)
  await refused(await sonar({ messages: [{ role: 'developer', content: 'x' }] }), /Input should be/, 422)
  const twice = [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
  ]
  await refused(await sonar({ messages: twice }), /should alternate/)
})

void test('the old chat path repeats the message in every chunk and has no end marker', async () => {
  const events = await eventsOf(await sonar({ stream: true }))
  assert.equal(joined(events, 'choices', 0, 'delta', 'content'), 'Echo: hello')
  assert.equal(at(events.at(-1)?.data, 'choices', 0, 'message', 'content'), 'Echo: hello')
  assert.equal(at(events.at(-1)?.data, 'object'), 'chat.completion.done')
  assert.ok(events.every((event) => at(event.data, 'usage', 'cost', 'total_cost') !== undefined))
})

void test('OpenRouter keeps the line alive with comments and ends with usage and cost', async () => {
  const raw = await (await router({ stream: true, reasoning: { effort: 'low' } })).text()
  assert.ok(raw.startsWith(': OPENROUTER PROCESSING\n\n'))
  const events = await eventsOf(new Response(raw))
  assert.equal(joined(events, 'choices', 0, 'delta', 'content'), 'Echo: hello')
  assert.equal(joined(events, 'choices', 0, 'delta', 'reasoning'), 'Thinking about it: hello')
  assert.equal(events.at(-1)?.data, '[DONE]')
  assert.ok(Number(at(events.at(-2)?.data, 'usage', 'cost')) > 0)
  fake.script('openrouter', { streamError: { afterChunks: 4 } })
  const broken = await eventsOf(await router({ stream: true }))
  assert.equal(at(broken.at(-1)?.data, 'error', 'code'), 502)
  assert.equal(at(broken.at(-1)?.data, 'choices', 0, 'finish_reason'), 'error')
})

void test('OpenRouter lists prices as decimal text and refuses in its own shape', async () => {
  const models: unknown = await (await fetch(`${fake.baseUrls.OPENROUTER_BASE_URL}/models`)).json()
  assert.equal(at(models, 'data', 0, 'pricing', 'prompt'), '0.000004')
  const response = await router({}, { authorization: 'Bearer bad' })
  assert.deepEqual(at(await response.json(), 'error', 'code'), 401)
  assert.equal((await router({ model: 'gpt-6-sol' })).status, 400)
})
