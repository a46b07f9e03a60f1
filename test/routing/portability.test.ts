import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { claude, gpt, startRouted, trailOf } from './routed.ts'

const server = await startRouted()
const { fake, ask, called, usedKeys } = server
await server.route({ name: 'two', targets: [gpt, claude] })

beforeEach(() => server.recover())

const part = (content: object) => ({ messages: [{ role: 'user', content: [content] }] })

/** Requests that mean something to one provider, or to one key. */
const { json: stored } = await server.call('/v1/responses', {
  key: server.key,
  json: { model: gpt, input: 'Hi' },
})
const bound: [string, string, object][] = [
  ['a stored response', '/v1/responses', { input: 'Hi', previous_response_id: stored.id as string }],
  ['a tool that runs at the provider', '/v1/responses', { input: 'Hi', tools: [{ type: 'web_search' }] }],
  [
    'a search of the provider',
    '/v1/chat/completions',
    { ...part({ type: 'text', text: 'Hi' }), web_search_options: {} },
  ],
  [
    'reasoning that the provider encrypted',
    '/v1/responses',
    {
      input: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
        { role: 'user', content: 'Hi' },
      ],
    },
  ],
  ['a file', '/v1/chat/completions', part({ type: 'file', file: { file_id: 'file-1' } })],
]
for (const [what, path, body] of bound)
  test(`${what} is not carried to another provider, and the trail says so`, async () => {
    fake.always('openai', { error: { status: 503, message: 'down for a while' } })
    const answer = await server.call(path, { key: server.key, json: { model: 'two', ...body } })
    assert.deepEqual([answer.status, answer.json.error.message], [503, 'down for a while'])
    assert.ok(!called().includes('anthropic'))
    const { attempts } = await trailOf(server, answer)
    const last = attempts.at(-1)
    assert.deepEqual(
      [last?.provider, last?.status_code, last?.error_code],
      ['anthropic', null, 'not_portable'],
    )
  })

test('words about files and signatures are words', async () => {
  fake.script('openai', { error: { status: 503 } })
  const content = 'What is "file_id" in {"file_id":"x"}, and "encrypted_content", and a signature?'
  const { status } = await ask('two', { messages: [{ role: 'user', content }] })
  assert.equal(status, 200)
  assert.deepEqual(called(), ['openai', 'anthropic'])
})

test('a response that continues a stored one goes to the key that made it, and to no other', async () => {
  await server.pool('second')
  await server.recover()
  const say = (json: object) =>
    server.call('/v1/responses', { key: server.key, json: { model: gpt, ...json } })
  // The continuations are the same request, which the choice by conversation would send to one key.
  const makers = new Set<string | undefined>()
  for (let each = 0; each < 4 || (makers.size < 2 && each < 40); each++) {
    fake.reset()
    const first = await say({ input: `Question ${each}` })
    await say({ input: 'And then?', previous_response_id: first.json.id as string })
    const [made, continued] = usedKeys()
    assert.equal(continued, made)
    makers.add(made)
  }
  assert.equal(makers.size, 2, 'both keys were chosen')
  fake.reset()
  const first = await say({ input: 'Question' })
  fake.always('openai', { error: { status: 429, retryAfter: 600 } })
  const failed = await say({ input: 'And then?', previous_response_id: first.json.id as string })
  assert.equal(failed.status, 429)
  assert.equal(new Set(usedKeys()).size, 1)
})
