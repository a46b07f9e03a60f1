import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anthropic } from '../providers/anthropic/index.ts'
import { gemini } from '../providers/gemini/index.ts'
import { arrayOf, objectOf } from '../wire/json.ts'
import { upstreamOf } from './testing.ts'

const system = (content: string) => ({ role: 'system', content })
const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })

/** The conversation at both providers, as `role: text`, the instructions first. */
function conversations(messages: unknown[]): [claude: string[], gemini: string[]] {
  const claude = upstreamOf(anthropic, { model: 'claude-haiku-5-5', messages })
  const google = upstreamOf(gemini, { model: 'gemini-3.8-flash', messages })
  return [
    [
      ...lines('system', claude['system']),
      ...arrayOf(claude['messages']).flatMap((each) => turn(each, 'content')),
    ],
    [
      ...lines('system', objectOf(google['systemInstruction'])['parts']),
      ...arrayOf(google['contents']).flatMap((each) => turn(each, 'parts')),
    ],
  ]
}

const turn = (value: unknown, field: string): string[] =>
  lines(String(objectOf(value)['role']), objectOf(value)[field])
const lines = (role: string, parts: unknown): string[] =>
  arrayOf(parts).map((part) => `${role}: ${String(objectOf(part)['text'])}`)

test('instructions alone: the last message is what the model responds to', () => {
  assert.deepEqual(conversations([system('Be brief.'), system('Name a colour.')]), [
    ['system: Be brief.', 'user: Name a colour.'],
    ['system: Be brief.', 'user: Name a colour.'],
  ])
  assert.deepEqual(conversations([system('Name a colour.')]), [
    ['user: Name a colour.'],
    ['user: Name a colour.'],
  ])
})

test('a conversation that the assistant begins gets a user turn before it', () => {
  const first = 'user: (The assistant begins the conversation.)'
  assert.deepEqual(conversations([assistant('Hi!'), user('Hello')]), [
    [first, 'assistant: Hi!', 'user: Hello'],
    [first, 'model: Hi!', 'user: Hello'],
  ])
})

test('a user message without text stands for itself', () => {
  assert.deepEqual(conversations([user('Hi'), assistant('Yes?'), user('')]), [
    ['user: Hi', 'assistant: Yes?', 'user: (No text.)'],
    ['user: Hi', 'model: Yes?', 'user: (No text.)'],
  ])
  assert.deepEqual(conversations([user(' '), user('Hi')])[0], ['user: Hi'])
})

test('arguments that are no JSON object are sent as the text they are', () => {
  for (const text of ['{"cut": ', '[1]', 'null']) {
    const call = { id: 'a', type: 'function', function: { name: 'x', arguments: text } }
    const messages = [
      user('Hi'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'wrong arguments' },
    ]
    const claude = upstreamOf(anthropic, { model: 'claude-haiku-5-5', messages })
    const used = objectOf(arrayOf(objectOf(arrayOf(claude['messages'])[1])['content'])[0])
    assert.deepEqual(used['input'], { raw_arguments: text })
    const google = upstreamOf(gemini, { model: 'gemini-3.8-flash', messages })
    const part = objectOf(arrayOf(objectOf(arrayOf(google['contents'])[1])['parts'])[0])
    assert.deepEqual(objectOf(part['functionCall'])['args'], { raw_arguments: text })
  }
})
