import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../api/client.ts'
import { createConversation, type ConversationOptions } from './conversation.ts'
import { emptyDraft } from './fold.ts'
import { bodyOf } from './request-body.ts'
import { noSettings } from './settings.ts'
import type { AssistantTurn, Turn } from './types.ts'

const ask = (turns: readonly Turn[]) => bodyOf('m', noSettings, turns)
const received = (text: string) => ({ draft: { ...emptyDraft, text }, requestId: 'r-1' })

function begin(send: ConversationOptions['send']) {
  let time = 0
  const frames: (() => void)[] = []
  const conversation = createConversation({
    send,
    onFrame: (work) => frames.push(work),
    now: () => (time += 100),
  })
  const last = () => conversation.get().at(-1) as AssistantTurn
  return { conversation, frames, last }
}

test('chunks are drawn once per frame, and the end immediately', async () => {
  const { conversation, frames, last } = begin(async ({ onReceived }) => {
    for (const text of ['a', 'ab', 'abc']) onReceived(received(text))
    await Promise.resolve()
  })
  let changes = 0
  conversation.subscribe(() => (changes += 1))
  const said = conversation.say('hello', ask)
  assert.equal(last().text, '')
  assert.equal(frames.length, 1)
  frames[0]?.()
  assert.equal(last().text, 'abc')
  await said
  assert.equal(last().state, 'done')
  assert.equal(last().requestId, 'r-1')
  assert.equal(last().firstTokenMs, 100)
  // The two turns, the frame, the last draft and the end.
  assert.equal(changes, 5)
})

test('earlier turns are sent along, a failed response is not', async () => {
  const bodies: unknown[] = []
  let isFailing = true
  const { conversation, last } = begin(async ({ body, onReceived }) => {
    bodies.push(body.messages)
    if (isFailing) throw new ApiError(400, 'no_provider_key', 'No key.', null)
    onReceived(received('yes'))
  })
  await conversation.say('one', ask)
  assert.equal(last().state, 'failed')
  assert.equal(last().error?.code, 'no_provider_key')
  isFailing = false
  await conversation.retry(ask)
  await conversation.say('two', ask)
  assert.deepEqual(bodies.at(-1), [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'yes' },
    { role: 'user', content: 'two' },
  ])
  assert.equal(conversation.get().length, 4)
})

test('stopping keeps the partial response, clearing keeps nothing', async () => {
  const { conversation, last } = begin(({ signal, onReceived }) => {
    onReceived(received('half'))
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  })
  const said = conversation.say('hello', ask)
  conversation.stop()
  await said
  assert.equal(last().state, 'stopped')
  assert.equal(last().text, 'half')
  assert.equal(last().error, null)
  const again = conversation.retry(ask)
  conversation.clear()
  await again
  assert.deepEqual(conversation.get(), [])
})
