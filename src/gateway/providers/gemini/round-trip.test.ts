import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import type { Reply } from '#fake-provider'
import { arrayOf, objectOf, type JsonObject } from '../../wire/json.ts'
import {
  collect,
  complete,
  cutAnywhere,
  faultOf,
  messageOf,
  randomNumbers,
  readAll,
  send,
  withoutTime,
} from '../../chat/testing.ts'
import { gemini } from './index.ts'

const fake = await startFakeProvider()
after(() => fake.close())
beforeEach(() => fake.reset())

const base = fake.baseUrls.GEMINI_BASE_URL
const ask = (content: string) => ({ role: 'user', content })
const parameters = {
  type: 'object',
  properties: { city: { type: 'string', pattern: 'x' } },
  additionalProperties: false,
}
const tools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  function: { name, parameters },
}))
const results = (message: JsonObject) =>
  arrayOf(message['tool_calls']).map((call, index) => ({
    role: 'tool',
    tool_call_id: objectOf(call)['id'],
    content: `result ${index}`,
  }))

async function streamed(body: object) {
  const { exchange, status, bytes } = await send(gemini, base, {
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  })
  assert.equal(status, 200, Buffer.from(bytes).toString())
  return collect(readAll(exchange.stream(), [bytes]), true)
}

const models = [
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.5-flash',
  'gemini-3.1-pro-preview',
  'gemini-flash-latest',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
]

/** What clients do with fields that they do not know. */
function withoutExtra(message: JsonObject): JsonObject {
  const { extra_content: _, ...rest } = message
  const calls = arrayOf(message['tool_calls']).map((call) => {
    const { extra_content: _, ...bare } = objectOf(call)
    return bare
  })
  return { ...rest, tool_calls: calls }
}

const signatureSent = () => {
  const model = objectOf(arrayOf(objectOf(fake.requests.at(-1)?.json)['contents'])[1])
  return arrayOf(model['parts'])
    .map((part) => objectOf(part)['thoughtSignature'])
    .filter((signature) => signature !== undefined)
}

for (const model of models) {
  test(`${model}: a tool loop with reasoning goes round, whole and streamed`, async () => {
    const body = { model, tools, reasoning_effort: 'high' }
    const question = ask('call the tool in parallel')
    const whole = messageOf(await complete(gemini, base, { ...body, messages: [question] }))
    const { message } = await streamed({ ...body, messages: [question] })
    for (const first of [whole, message]) {
      assert.equal(arrayOf(first['tool_calls']).length, 2)
      assert.equal(first['reasoning_content'], 'Thinking about it: call the tool in parallel')
      const second = await complete(gemini, base, { ...body, messages: [question, first, ...results(first)] })
      assert.equal(messageOf(second)['content'], 'The tool answered: result 0 | result 1')
    }
  })

  test(`${model}: the loop continues when the client has lost the signatures`, async () => {
    const body = { model, tools }
    const question = ask('call the tool')
    const first = messageOf(await complete(gemini, base, { ...body, messages: [question] }))
    const { reasoning_details: _, ...bare } = withoutExtra(first)
    await complete(gemini, base, { ...body, messages: [question, bare, ...results(first)] })
  })
}

test('the signature comes back exactly, from the calls or from the reasoning details', async () => {
  const body = { model: 'gemini-3.8-flash', tools }
  const question = ask('call the tool in parallel')
  const first = messageOf(await complete(gemini, base, { ...body, messages: [question] }))
  const given = objectOf(objectOf(objectOf(arrayOf(first['tool_calls'])[0])['extra_content'])['google'])
  const { reasoning_details: _, ...onCallsOnly } = first
  for (const message of [first, onCallsOnly, withoutExtra(first)]) {
    await complete(gemini, base, { ...body, messages: [question, message, ...results(first)] })
    assert.deepEqual(signatureSent(), [given['thought_signature']])
  }
})

test('the signature of a text comes back with it', async () => {
  const { message } = await streamed({ model: 'gemini-3.8-flash', messages: [ask('hello')] })
  const signature = objectOf(objectOf(message['extra_content'])['google'])['thought_signature']
  assert.ok(signature)
  for (const sent of [message, withoutExtra(message)]) {
    await complete(gemini, base, { model: 'gemini-3.8-flash', messages: [ask('hello'), sent, ask('more')] })
    assert.deepEqual(signatureSent(), [signature])
  }
})

test('a history made by another provider is accepted', async () => {
  const foreign = {
    role: 'assistant',
    content: 'let me see',
    reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 'y', format: 'anthropic-claude-v1' }],
    tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'get_time', arguments: '' } }],
  }
  const messages = [ask('x'), foreign, { role: 'tool', tool_call_id: 'toolu_1', content: 'noon' }]
  const answer = await complete(gemini, base, { model: 'gemini-4-argon', messages, tools })
  assert.equal(messageOf(answer)['content'], 'The tool answered: noon')
})

test('a long decode can be continued with its token', async () => {
  const body = { model: 'gemini-4-argon', messages: [ask('a long story')] }
  fake.script('gemini', { text: 'the first half', nativeFinish: 'CONTINUATION' })
  const half = messageOf(await complete(gemini, base, body))
  const { continuation_token } = objectOf(objectOf(half['extra_content'])['google'])
  assert.ok(continuation_token)
  await complete(gemini, base, { ...body, continuation_token })
})

const scripts: Reply[] = [
  { text: 'Grüße 😀, wie geht’s?', reasoning: 'langsam 🤔' },
  { toolCalls: [{ name: 'get_weather', arguments: { city: 'Rome' } }, { name: 'get_time' }] },
  { refusal: 'No.' },
  { text: 'cut', finish: 'length' },
  { blockReason: 'SAFETY' },
]

test('a stream and a whole response say the same', async () => {
  for (const script of scripts) {
    const body = { model: 'gemini-3.8-flash', messages: [ask('x')], tools }
    fake.script('gemini', script)
    const whole = await complete(gemini, base, body)
    fake.script('gemini', script)
    const { message, finishReason, usage } = await streamed(body)
    const comparable = (one: JsonObject) => {
      // Identifiers differ, and an answer without text has its text signature only in a stream.
      const { extra_content: _, reasoning_details: details, ...rest } = one
      const thoughts = arrayOf(details).filter((detail) => objectOf(detail)['type'] === 'reasoning.text')
      const calls = arrayOf(rest['tool_calls']).map((call) => ({ ...objectOf(call), id: '' }))
      return {
        ...rest,
        role: 'assistant',
        content: rest['content'] || null,
        refusal: rest['refusal'] ?? null,
        thoughts,
        tool_calls: calls,
      }
    }
    assert.deepEqual(comparable(message), comparable(messageOf(whole)))
    assert.equal(finishReason, objectOf(arrayOf(whole['choices'])[0])['finish_reason'])
    assert.deepEqual(usage, whole['usage'])
  }
})

test('the bytes of the provider may be cut anywhere', async () => {
  const body = {
    model: 'gemini-3.8-flash',
    messages: [ask('call the tool in parallel 😀')],
    tools,
    stream: true,
  }
  for (const script of [{}, ...scripts]) {
    fake.script('gemini', script)
    const { exchange, bytes } = await send(gemini, base, { ...body, reasoning_effort: 'low' })
    const expected = withoutTime(readAll(exchange.stream(), [bytes]))
    for (let seed = 1; seed <= 30; seed++) {
      const out = readAll(exchange.stream(), cutAnywhere(bytes, randomNumbers(seed)))
      assert.equal(withoutTime(out), expected, `seed ${seed}`)
    }
  }
})

test('everything a client may send is accepted by the provider', async () => {
  const image = {
    type: 'image_url',
    image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' },
  }
  const sound = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }
  const schema = {
    $schema: 'x',
    definitions: { tag: { type: 'string', pattern: 'x' } },
    type: 'object',
    properties: {
      n: { type: 'integer', minimum: 3, exclusiveMaximum: 9 },
      tags: { type: 'array', items: { $ref: '#/definitions/tag', description: 'one' } },
      kind: { const: 'cat' },
    },
    allOf: [{ required: ['n'] }],
    additionalProperties: false,
  }
  const json = { type: 'json_schema', json_schema: { name: 'x', schema } }
  const messages = [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'a' },
    { role: 'user', content: [{ type: 'text', text: 'look' }, image, sound] },
    { role: 'assistant', content: 'b' },
    { role: 'developer', content: 'later' },
    { role: 'user', content: 'c', name: 'ann' },
    { role: 'assistant', content: 'and now' },
  ]
  for (const model of [...models, 'gemma-3-27b-it']) {
    const some = { model, messages, seed: 1, stop: ['x', ''], max_tokens: 50, presence_penalty: 1, user: 'u' }
    await complete(gemini, base, some)
    const answer = await complete(gemini, base, { model, messages, response_format: json })
    assert.equal(typeof objectOf(JSON.parse(String(messageOf(answer)['content'])))['n'], 'number')
    for (const tool_choice of ['auto', 'none', 'required']) {
      await complete(gemini, base, { model, messages, tools, tool_choice, parallel_tool_calls: false })
    }
    for (const reasoning_effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']) {
      await complete(gemini, base, { model, messages, reasoning_effort })
    }
  }
})

test('what the provider refuses arrives as its own words, a bad key as a refused key', async () => {
  const body = { model: 'gemini-nope', messages: [ask('x')] }
  const { status, headers, bytes } = await send(gemini, base, body)
  const fault = gemini.fault({ status, headers, body: Buffer.from(bytes).toString() })
  assert.equal(fault.status, 404)
  assert.match(fault.message, /^models\/gemini-nope is not found/)
  const response = await fetch(`${base}/v1beta/models?key=bad`)
  const refused = gemini.fault({ status: response.status, headers: {}, body: await response.text() })
  assert.equal(response.status, 400)
  assert.equal(refused.status, 502)
  fake.script('gemini', { error: { status: 429, retryAfter: 3 } })
  const limited = await send(gemini, base, body)
  const wait = gemini.fault({ ...limited, body: Buffer.from(limited.bytes).toString() })
  assert.equal(wait.headers['retry-after'], '3')
})

test('a stream that fails on the way is an error after the text that came', async () => {
  fake.script('gemini', { text: 'one two three', streamError: { afterChunks: 2 } })
  const { exchange, bytes } = await send(gemini, base, {
    model: 'gemini-3.8-flash',
    messages: [ask('x')],
    stream: true,
  })
  const reader = exchange.stream()
  const fault = faultOf(() => readAll(reader, cutAnywhere(bytes, randomNumbers(1))))
  assert.equal(fault.status, 503)
  assert.equal(reader.delivered, 'one two ')
})
