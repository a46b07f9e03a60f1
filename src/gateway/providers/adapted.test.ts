import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeOf, upstreamOf } from '../chat/testing.ts'
import { requestOf } from '../passthrough/testing.ts'
import type { Provider } from '../provider.ts'
import { arrayOf, objectOf, parseJson, type JsonObject } from '../wire/json.ts'
import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import { openai } from './openai/index.ts'

// What only the chosen model cannot take becomes the nearest thing that it can, and is named.

const hello = [{ role: 'user', content: 'Hello' }]
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
})
const named = { type: 'function', function: { name: 'look_up' } }
const offered = { tools: [tool('look_up'), tool('other')] }

function sent(provider: Provider, model: string, body: object): JsonObject {
  return upstreamOf(provider, { model, messages: hello, ...body })
}

/** The names in the header, and the fields that a strict operator has refused. */
function namesOf(provider: Provider, model: string, body: object): [string[], (string | null)[]] {
  const { dropped, adapted = [] } = exchangeOf(provider, { model, messages: hello, ...body })
  return [[...dropped], adapted.map(({ param }) => param)]
}

test('Claude: a call that cannot be forced is asked for in words, after the conversation', () => {
  const model = 'claude-opus-5-5'
  const one = sent(anthropic, model, { ...offered, tool_choice: named, parallel_tool_calls: false })
  assert.deepEqual(one['tool_choice'], { type: 'auto', disable_parallel_tool_use: true })
  assert.equal(arrayOf(one['tools']).length, 2)
  assert.equal(one['system'], undefined, 'what is cached before it stays the same')
  const text = 'Respond by calling the tool look_up. Do not respond with text instead of the call.'
  assert.deepEqual(arrayOf(one['messages'])[1], { role: 'system', content: [{ type: 'text', text }] })

  const any = sent(anthropic, model, { ...offered, tool_choice: 'required' })
  assert.deepEqual(any['tool_choice'], { type: 'auto' })
  assert.match(JSON.stringify(arrayOf(any['messages'])[1]), /calling at least one of the tools/)
  const names = namesOf(anthropic, model, { ...offered, tool_choice: 'required' })
  assert.deepEqual(names, [['tool_choice'], ['tool_choice']])
})

test('Claude: with thinking on a budget a call is asked for in words too', () => {
  const model = 'claude-sonnet-4-5'
  const body = { ...offered, tool_choice: 'required', reasoning_effort: 'low' }
  assert.deepEqual(sent(anthropic, model, body)['tool_choice'], { type: 'auto' })
  assert.match(JSON.stringify(sent(anthropic, model, body)['system']), /calling at least one/)
  const [fault] = exchangeOf(anthropic, { model, messages: hello, ...body }).adapted ?? []
  assert.equal(fault?.message, 'tool_choice cannot force a call while reasoning_effort is on.')
  const plain = sent(anthropic, model, { ...offered, tool_choice: 'required' })
  assert.deepEqual(plain['tool_choice'], { type: 'any' }, 'where it can be forced, it is')
})

test('Claude: sampling that a model has fixed is left out; of two settings that exclude each other one stays', () => {
  const given = { temperature: 0.2, top_p: 0.5, top_k: 5 }
  const fields = ['temperature', 'top_p', 'top_k']
  for (const model of ['claude-opus-5-5', 'claude-opus-4-7', 'claude-yet-unknown']) {
    const body = sent(anthropic, model, given)
    assert.deepEqual(Object.keys(body), ['model', 'max_tokens', 'messages'], model)
    assert.deepEqual(namesOf(anthropic, model, given), [fields, fields])
  }
  const both = { temperature: 0.5, top_p: 0.5 }
  assert.equal(sent(anthropic, 'claude-sonnet-4-5', both)['temperature'], 0.5)
  assert.equal(sent(anthropic, 'claude-sonnet-4-5', both)['top_p'], undefined)
  assert.deepEqual(namesOf(anthropic, 'claude-sonnet-4-5', both), [['top_p'], ['top_p']])
})

test('Claude: a schema with free property names is asked for in words, unless it has to be strict', () => {
  const schema = { type: 'object', additionalProperties: { type: 'number' } }
  const format = (strict?: boolean) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict } },
  })
  const body = sent(anthropic, 'claude-opus-5-5', format())
  assert.equal(body['output_config'], undefined)
  const asked = JSON.stringify(body['system'])
  assert.match(asked, /one JSON object and nothing else/)
  assert.ok(asked.includes(JSON.stringify(JSON.stringify(schema)).slice(1, -1)), asked)
  const path = 'response_format.json_schema.schema'
  assert.deepEqual(namesOf(anthropic, 'claude-opus-5-5', format()), [[path], [path]])
  assert.throws(() => sent(anthropic, 'claude-opus-5-5', format(true)), { param: path })
})

test('Gemini: JSON beside tools: without those that must not be called, without the format where a call is forced', () => {
  const model = 'gemini-3.8-flash'
  const json = { ...offered, response_format: { type: 'json_object' } }
  const configOf = (body: JsonObject) => objectOf(body['generationConfig'])['responseMimeType']

  const none = sent(gemini, model, { ...json, tool_choice: 'none' })
  assert.equal(none['tools'] ?? none['toolConfig'], undefined)
  assert.equal(configOf(none), 'application/json')
  assert.deepEqual(namesOf(gemini, model, { ...json, tool_choice: 'none' }), [['tools'], []])

  const forced = sent(gemini, model, { ...json, tool_choice: 'required' })
  assert.deepEqual(forced['toolConfig'], { functionCallingConfig: { mode: 'ANY' } })
  assert.equal(configOf(forced), undefined)
  const names = namesOf(gemini, model, { ...json, tool_choice: 'required' })
  assert.deepEqual(names, [['response_format'], ['response_format']])

  assert.equal(configOf(sent(gemini, model, json)), 'application/json', 'with a free choice both work')
})

test('Gemini before generation 3: JSON beside tools is asked for in words', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } }
  const body = sent(gemini, 'gemini-2.5-flash', { ...offered, response_format })
  assert.equal(body['generationConfig'], undefined)
  assert.equal(arrayOf(body['tools']).length, 1)
  const parts = arrayOf(objectOf(body['systemInstruction'])['parts'])
  assert.ok(String(objectOf(parts[0])['text']).includes(JSON.stringify(schema)))
})

test('OpenAI: sampling that a reasoning model refuses is left out of the bytes, and what it takes stays', () => {
  const given = {
    temperature: 0.2,
    top_p: 0.9,
    presence_penalty: 1,
    frequency_penalty: 1,
    logit_bias: { 1: 2 },
  }
  const fields = Object.keys(given)
  const ask = (body: object) => {
    const exchange = openai.chat(requestOf({ messages: hello, ...body }))
    return { exchange, body: objectOf(parseJson(Buffer.from(exchange.body).toString())) }
  }
  for (const more of [{}, { tools: [tool('x')] }]) {
    const { exchange, body } = ask({ model: 'gpt-6-sol', ...given, ...more })
    for (const field of fields) assert.equal(body[field], undefined, field)
    assert.deepEqual(exchange.dropped, fields)
    assert.deepEqual(
      exchange.adapted?.map(({ param }) => param),
      fields,
    )
  }
  for (const model of ['gpt-4.1', 'gpt-5.4', 'gpt-5-chat-latest']) {
    const { exchange, body } = ask({ model, ...given })
    assert.equal(body['temperature'], 0.2, model)
    assert.deepEqual(exchange.dropped, [])
  }
  const off = ask({ model: 'gpt-6-sol', reasoning_effort: 'none', temperature: 0.2 })
  assert.equal(off.body['temperature'], 0.2)
  const neutral = ask({ model: 'gpt-6-sol', temperature: 1 })
  assert.deepEqual([neutral.body['temperature'], neutral.exchange.dropped], [1, []])
  const wrong = ask({ model: 'gpt-6-sol', temperature: 'hot' })
  assert.equal(wrong.body['temperature'], 'hot', 'a wrong type is for OpenAI to refuse')
})

test('OpenAI: top_k is not sent', () => {
  const exchange = openai.chat(requestOf({ model: 'gpt-4.1', messages: hello, top_k: 3 }))
  assert.equal(objectOf(parseJson(Buffer.from(exchange.body).toString()))['top_k'], undefined)
  assert.deepEqual(exchange.dropped, ['top_k'])
})
