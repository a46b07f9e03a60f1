import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAll } from '../../chat/testing.ts'
import { openAiCompatible } from '../../providers/index.ts'
import type { Provider } from '../../providers/index.ts'
import { arrayOf, objectOf, type JsonObject } from '../../wire/json.ts'
import { readBody } from '../../request/body.ts'
import { messages } from './index.ts'
import { ask, chatOf, chatStream, collect, messageOf } from './testing.ts'

const user = { role: 'user', content: 'Hello' }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'rain' }] }
const call = { index: 0, id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }
const detail = {
  type: 'reasoning.encrypted',
  data: 'sealed',
  id: 'rs_1',
  format: 'openai-responses-v1',
  index: 1,
}
const summary = {
  type: 'reasoning.summary',
  summary: 'hm',
  id: 'rs_1',
  format: 'openai-responses-v1',
  index: 0,
}

function whole(message: JsonObject): readonly unknown[] {
  return arrayOf(messageOf({ choices: [{ message, finish_reason: 'tool_calls' }] })['content'])
}

function streamed(...deltas: JsonObject[]): readonly unknown[] {
  return arrayOf(
    collect(readAll(ask({ stream: true }).stream(), [chatStream(deltas, 'tool_calls')]))['content'],
  )
}

/** The assistant message of the chat request that continues the conversation. */
function sentBack(content: unknown, provider?: Provider): JsonObject {
  const chat = chatOf({ messages: [user, { role: 'assistant', content }, result] }, provider)
  return objectOf(arrayOf(chat['messages'])[1])
}

test('what a provider wants back travels in the signature and comes back as it was', () => {
  const message = { content: null, reasoning: 'hm', reasoning_details: [summary, detail], tool_calls: [call] }
  for (const content of [
    whole(message),
    streamed(
      { reasoning: 'hm', reasoning_details: [summary] },
      { reasoning_details: [detail] },
      { tool_calls: [call] },
    ),
  ]) {
    assert.deepEqual(
      content.map((block) => objectOf(block)['type']),
      ['thinking', 'tool_use'],
    )
    assert.deepEqual(sentBack(content)['reasoning_details'], [summary, detail])
  }
})

test('reasoning without readable text is in a sealed block, wherever it came', () => {
  const types = (content: readonly unknown[]) => content.map((block) => objectOf(block)['type'])
  const message = { content: 'Well', reasoning_details: [detail], tool_calls: [call] }
  assert.deepEqual(types(whole(message)), ['text', 'tool_use', 'redacted_thinking'])
  const before = streamed({ reasoning_details: [detail] }, { content: 'Well' }, { tool_calls: [call] })
  assert.deepEqual(types(before), ['redacted_thinking', 'text', 'tool_use'])
  const after = streamed({ content: 'Well' }, { tool_calls: [call] }, { reasoning_details: [detail] })
  assert.deepEqual(types(after), ['text', 'tool_use', 'redacted_thinking'])
  for (const content of [whole(message), before, after])
    assert.deepEqual(sentBack(content)['reasoning_details'], [detail])
})

test('a response without calls ends with its text, whatever its provider seals after it', () => {
  const types = (content: readonly unknown[]) => content.map((block) => objectOf(block)['type'])
  const late = { reasoning_details: [detail] }
  assert.deepEqual(types(whole({ content: 'Well', ...late })), ['text'])
  assert.deepEqual(types(streamed({ content: 'Well' }, late)), ['text'])
  const thought = { reasoning: 'hm', reasoning_details: [summary] }
  assert.deepEqual(types(streamed(thought, { content: 'Well' }, late)), ['thinking', 'text'])
  assert.deepEqual(types(streamed(late)), ['redacted_thinking'])
})

test('pieces of one entry are joined, so that a signature does not grow with every word', () => {
  const text = (piece: string, more: object = {}) => ({
    reasoning: piece,
    reasoning_details: [{ type: 'reasoning.text', text: piece, format: 'f', index: 0, ...more }],
  })
  const signed = { reasoning_details: [{ type: 'reasoning.text', signature: 'sig', format: 'f', index: 0 }] }
  const content = streamed(text('one '), text('two'), signed, { tool_calls: [call] })
  assert.deepEqual(sentBack(content)['reasoning_details'], [
    { type: 'reasoning.text', text: 'one two', signature: 'sig', format: 'f', index: 0 },
  ])
})

test('what stood on a call goes back to it', () => {
  const extra = { google: { thought_signature: 'sig' } }
  const signed = { ...call, extra_content: extra }
  for (const content of [
    whole({ content: null, tool_calls: [signed] }),
    streamed({ tool_calls: [signed] }),
  ]) {
    const [first] = arrayOf(sentBack(content)['tool_calls'])
    assert.deepEqual(objectOf(first)['extra_content'], extra)
  }
})

test('thinking that came without anything to keep goes back as text', () => {
  const content = whole({ content: null, reasoning_content: 'hm', tool_calls: [call] })
  assert.equal(sentBack(content)['reasoning_content'], 'hm')
})

test("reasoning goes back to the provider it came from and to no other, and a stranger's never", () => {
  const content = whole({ content: null, reasoning: 'hm', reasoning_details: [detail], tool_calls: [call] })
  const other = openAiCompatible({ id: 'other', name: 'Other', prefixes: ['own-'] })
  assert.deepEqual(Object.keys(sentBack(content, other)), ['role', 'content', 'tool_calls'])
  for (const signature of ['', 'theirs', 'signalbox.v1.', 'signalbox.v1.bm90IGpzb24', 'signalbox.v1.W10']) {
    const forged = [
      { type: 'thinking', thinking: 'x', signature },
      { type: 'text', text: 'Well' },
    ]
    assert.deepEqual(Object.keys(sentBack(forged)), ['role', 'content'])
  }
})

test('a conversation that changes to an Anthropic model leaves the seals of others behind, and nothing else', () => {
  const sealed = whole({ content: 'Well', reasoning: 'hm', reasoning_details: [detail] })
  const own = { type: 'thinking', thinking: 'x', signature: 'theirs' }
  const said = [
    user,
    { role: 'assistant', content: [...sealed, own] },
    user,
    { role: 'assistant', content: sealed.slice(0, 1) },
    user,
  ]
  const text = `{ "model" :"own-model", "max_tokens": 1.0, "messages":${JSON.stringify(said)},"more":12345678901234567890}`
  const bytes = sentNatively(text)
  const kept = [user, { role: 'assistant', content: [...sealed.slice(1), own] }, user, user]
  assert.equal(
    bytes.toString(),
    `{"model" :"own-model","max_tokens": 1.0,"messages":${JSON.stringify(kept)},"more":12345678901234567890}`,
  )
  const plain = '{ "model":"own-model","messages":[{"role":"user","content":"signalbox.v1.x"}] }'
  assert.equal(sentNatively(plain).toString(), plain)
})

test('a conversation that changes to an Anthropic model leaves the sources of others behind, and nothing else', () => {
  const annotations = [
    { type: 'url_citation', url_citation: { url: 'https://a.example', start_index: 0, end_index: 4 } },
  ]
  const cited = whole({ content: 'Rome', annotations })
  const late = streamed({ content: 'Rome' }, { tool_calls: [call] }, { annotations })
  const own = {
    type: 'text',
    text: 'Paris',
    citations: [{ url: 'https://b.example', encrypted_index: 'Eo8B' }],
  }
  const chat = (...said: unknown[]) =>
    JSON.stringify({ model: 'own-model', messages: [user, { role: 'assistant', content: said }, result] })
  const bare = { type: 'text', text: 'Rome', citations: null }
  assert.equal(sentNatively(chat(...cited, own)).toString(), chat(bare, own))
  assert.deepEqual(
    late.map((block) => objectOf(block)['text']),
    ['Rome', undefined, ''],
  )
  assert.equal(sentNatively(chat(...late)).toString(), chat(...late.slice(0, 2)))
  const theirs = chat(own).replace('{', '{ ')
  assert.equal(sentNatively(theirs).toString(), theirs)
  assert.equal(sentBack(late)['content'], 'Rome')
})

function sentNatively(text: string): Buffer {
  const provider = openAiCompatible({ id: 'own', name: 'Own', prefixes: [] })
  const native = {
    ...provider,
    passthrough: { messages: ({ raw }: { raw: Uint8Array }) => ({ ...ask({}), body: raw }) },
  }
  const request = messages.read(readBody(Buffer.from(text)), {})
  return Buffer.from(messages.exchange(native, request).body)
}
