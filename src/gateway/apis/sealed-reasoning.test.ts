import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrayOf, objectOf, parseJson, type JsonObject } from '../wire/json.ts'
import { readBody } from '../request/body.ts'
import { messages } from './messages/index.ts'
import { plain } from './messages/testing.ts'
import { responses } from './responses/index.ts'
import type { Api } from '../api.ts'
import { KeptReasoning, unseal } from './sealed-reasoning.ts'

const extra = { google: { thought_signature: 'sig' } }
const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }
const details = [
  { type: 'reasoning.text', text: 'hm', signature: 's', format: 'f', index: 0 },
  { type: 'reasoning.encrypted', data: 'sealed', format: 'f', index: 1 },
]
const completion = {
  choices: [
    {
      message: {
        reasoning: 'hm',
        content: null,
        reasoning_details: details,
        tool_calls: [{ ...call, extra_content: extra }],
      },
      finish_reason: 'tool_calls',
    },
  ],
}

function exchange(api: Api, body: object) {
  const raw = Buffer.from(JSON.stringify({ model: 'own-model', ...body }))
  return api.exchange(plain, api.read(readBody(raw), {}))
}

/** The response in the format of this API. */
function responseOf(api: Api, body: object): JsonObject {
  const response = exchange(api, body).response(Buffer.from(JSON.stringify(completion)))
  return objectOf(parseJson(String(response.body)))
}

/** The model's message as the provider gets it with the next turn. */
function sentBack(api: Api, body: object): unknown {
  const chat = objectOf(parseJson(Buffer.from(exchange(api, body).body).toString()))
  return arrayOf(chat['messages'])[1]
}

const user = { role: 'user', content: 'Hello' }
const whole = {
  role: 'assistant',
  content: null,
  tool_calls: [{ ...call, extra_content: extra }],
  reasoning_details: details,
}

test('a conversation that moves from one API to the other keeps what its provider wants back', () => {
  const message = responseOf(messages, { max_tokens: 100, messages: [user] })
  const { signature } = objectOf(arrayOf(message['content'])[0])
  const input = [
    user,
    { type: 'reasoning', summary: [], encrypted_content: signature },
    { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'rain' },
  ]
  assert.deepEqual(sentBack(responses, { input }), whole)

  const response = responseOf(responses, { input: 'Hello' })
  const { encrypted_content: data } = objectOf(arrayOf(response['output'])[0])
  const content = [
    { type: 'redacted_thinking', data },
    { type: 'tool_use', id: 'a', name: 'weather', input: {} },
  ]
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'rain' }
  const said = [user, { role: 'assistant', content }, { role: 'user', content: [result] }]
  assert.deepEqual(sentBack(messages, { max_tokens: 100, messages: said }), whole)
})

test('pieces of a text become one; what is signed, encrypted or has another id is whole already', () => {
  const kept = new KeptReasoning('own')
  const text = (said: string, more: object = {}) => ({
    type: 'reasoning.text',
    text: said,
    index: 0,
    ...more,
  })
  const encrypted = { type: 'reasoning.encrypted', data: 'a', index: 0 }
  kept.add([text('one ', { signature: null }), text('two'), text('', { signature: 's' })])
  kept.add([text('three', { signature: 't' }), encrypted, encrypted])
  kept.add([text('x', { id: 'x' }), text('y', { id: 'y' }), text('z')])
  assert.deepEqual(unseal(kept.take(), 'own')?.details, [
    text('one two', { signature: 's' }),
    text('three', { signature: 't' }),
    encrypted,
    encrypted,
    text('x', { id: 'x' }),
    text('yz', { id: 'y' }),
  ])
  assert.equal(kept.isEmpty, true)
})
