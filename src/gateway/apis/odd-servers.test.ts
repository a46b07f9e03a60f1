import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAiCompatible } from '../providers/index.ts'
import { upstreamOf } from '../chat/testing.ts'
import { anthropic } from '../providers/anthropic/index.ts'
import { readBody } from '../request/body.ts'
import type { Api } from '../api.ts'
import { arrayOf, objectOf, parseJson, type JsonObject } from '../wire/json.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'

// What servers send that speak Chat Completions in their own way.

const odd = openAiCompatible({ id: 'odd', name: 'Odd', prefixes: ['odd-'] })

function exchange(api: Api) {
  const body =
    api === messages ? { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 } : { input: 'Hi' }
  const raw = Buffer.from(JSON.stringify({ model: 'odd-1', ...body }))
  return api.exchange(odd, api.read(readBody(raw), {}))
}

const typed = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
  { type: 'text', text: 'Yes' },
]

function whole(api: Api, message: object): JsonObject {
  const completion = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
  return objectOf(parseJson(String(exchange(api).response(Buffer.from(JSON.stringify(completion))).body)))
}

function streamed(api: Api, deltas: object[], finish = 'stop'): string {
  const reader = exchange(api).stream()
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ]
  const sent = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  return String(reader.push(Buffer.from(`${sent}data: [DONE]\n\n`))) + String(reader.end())
}

test('typed parts of content are thinking and text, whole and streamed', () => {
  const message = { role: 'assistant', content: typed }
  const content = arrayOf(whole(messages, message)['content']).map(objectOf)
  assert.deepEqual(
    content.map(({ type, thinking, text }) => [type, thinking ?? text]),
    [
      ['thinking', 'Hm'],
      ['text', 'Yes'],
    ],
  )
  const output = arrayOf(whole(responses, message)['output']).map(objectOf)
  assert.deepEqual(
    output.map(({ type }) => type),
    ['reasoning', 'message'],
  )
  const events = streamed(messages, [{ content: [typed[0]] }, { content: [typed[1]] }])
  assert.match(events, /"thinking_delta","thinking":"Hm"/)
  assert.match(events, /"text_delta","text":"Yes"/)
  assert.match(streamed(responses, [{ content: typed }]), /"response.output_text.delta".*"delta":"Yes"/)
})

test('two calls with one index and two ids stay two', () => {
  const call = (id: string, args: string) => ({
    tool_calls: [{ index: 0, id, type: 'function', function: { name: 'look_up', arguments: args } }],
  })
  const more = (args: string) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] })
  const deltas = [call('a', '{"x":'), more('1}'), call('b', ''), more('{"x":2}')]
  const blocks = [...streamed(messages, deltas, 'tool_calls').matchAll(/"type":"tool_use","id":"(\w)"/g)]
  assert.deepEqual(
    blocks.map(([, id]) => id),
    ['a', 'b'],
  )
  const done = [
    ...streamed(responses, deltas, 'tool_calls').matchAll(/arguments\.done".*?"arguments":"(.*?)"\}/g),
  ]
  assert.deepEqual(
    done.map(([, args]) => args),
    [String.raw`{\"x\":1}`, String.raw`{\"x\":2}`],
  )
})

test('a cache mark on a part of a tool result is one on the result', () => {
  const mark = { type: 'ephemeral' }
  const content = [{ type: 'text', text: 'rain', cache_control: mark }]
  const conversation = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content },
  ]
  const sent = upstreamOf(anthropic, { model: 'claude-haiku-5-5', messages: conversation })
  const [result] = arrayOf(objectOf(arrayOf(sent['messages'])[2])['content'])
  assert.deepEqual(result, { type: 'tool_result', tool_use_id: 'a', content: 'rain', cache_control: mark })
})
