import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TranscriptDetail, TranscriptMessage } from '#transcripts/contract'
import { MessageList, merged, type MessagePage, type MessagePages } from './message-list.ts'
import { indexOfMessage, isPrompt, rowsOf } from './rows.ts'

const message = (order: number, part: Partial<TranscriptMessage> = {}): TranscriptMessage => ({
  id: `m${order}`,
  parent_id: null,
  order,
  role: 'assistant',
  kind: 'text',
  origin: null,
  content: `text ${order}`,
  cut: false,
  tool_name: null,
  tool_input: null,
  call_id: null,
  subagent_id: null,
  is_error: false,
  is_sidechain: false,
  is_copied: false,
  model: null,
  image: null,
  created_at: '2026-11-16T12:00:00.000Z',
  ...part,
})
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index))

// The list hands the session on and never looks into it.
const session = {} as TranscriptDetail
const page = (from: number, to: number, older: string | null, newer: string | null = null): MessagePage => ({
  session,
  messages: messages(from, to),
  older,
  newer,
})
const refuse = () => Promise.reject(new Error('not expected'))
const pages = (part: Partial<MessagePages>): MessagePages => ({
  first: refuse,
  older: refuse,
  newer: refuse,
  after: refuse,
  ...part,
})
const idsOf = (list: MessageList) => list.get().messages.map(({ id }) => id)

test('older pages are put before the loaded ones, until there are none', async () => {
  const list = new MessageList(
    pages({
      first: async () => page(5, 6, 'c5'),
      older: async (cursor) => {
        assert.equal(cursor, 'c5')
        return page(3, 4, null)
      },
    }),
  )
  await list.load()
  await Promise.all([list.loadOlder(), list.loadOlder()])
  await list.loadOlder()
  assert.deepEqual(idsOf(list), ['m3', 'm4', 'm5', 'm6'])
  assert.equal(list.get().older, null)
})

test('a failed page keeps what is loaded and can be tried again', async () => {
  let isDown = true
  const older = async () => (isDown ? refuse() : page(1, 2, null))
  const list = new MessageList(pages({ first: async () => page(3, 4, 'c'), older }))
  await list.load()
  await list.loadOlder()
  assert.equal(list.get().failed?.side, 'older')
  isDown = false
  await list.loadOlder()
  assert.deepEqual([idsOf(list).length, list.get().failed], [4, null])
})

test('a poll adds what is new and updates a message that was still being written', async () => {
  const list = new MessageList(
    pages({
      first: async () => page(1, 3, null),
      after: async (id) => {
        assert.equal(id, 'm1')
        return {
          ...page(4, 5, null),
          messages: [message(2), message(3, { content: 'whole' }), ...messages(4, 5)],
        }
      },
    }),
  )
  await list.load()
  const [, second] = list.get().messages
  await list.poll()
  assert.deepEqual(idsOf(list), ['m1', 'm2', 'm3', 'm4', 'm5'])
  assert.equal(list.get().messages[2]?.content, 'whole')
  assert.equal(list.get().messages[1], second, 'an unchanged message stays the same object')
})

test('around a message there is no poll before the newest page is loaded', async () => {
  let polls = 0
  const list = new MessageList(
    pages({
      first: async () => page(10, 12, 'o', 'n'),
      newer: async () => page(13, 14, null),
      after: async () => {
        polls++
        return page(14, 14, null)
      },
    }),
  )
  await list.load()
  await list.poll()
  assert.equal(polls, 0)
  await list.loadNewer()
  await list.poll()
  assert.deepEqual([polls, list.get().older, idsOf(list).length], [1, 'o', 5])
})

test('the same messages loaded twice change nothing', () => {
  const known = messages(1, 5)
  assert.equal(merged(known, messages(2, 4)), known)
})

test('a result is shown with its call, and alone only when its call is nowhere', () => {
  const call = message(1, { kind: 'tool_call', call_id: 'a' })
  const result = message(3, { role: 'tool', kind: 'tool_result', call_id: 'a' })
  const image = message(4, { role: 'tool', kind: 'image', call_id: 'a' })
  const rows = rowsOf([call, message(2), result, image], true)
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['m1', 'm2'],
  )
  assert.equal(indexOfMessage(rows, 'm4'), 0)
  assert.deepEqual(rowsOf([message(2), result], true).length, 1)
  assert.deepEqual(
    rowsOf([message(2), result], false).map(({ kind }) => kind),
    ['message', 'tool'],
  )
})

test('a new day and the end of what a fork copied are marked, never before the first row', () => {
  const rows = rowsOf(
    [
      message(1, { is_copied: true, role: 'user', origin: 'human' }),
      message(2, { created_at: '2026-11-18T12:00:00.000Z' }),
    ],
    true,
  )
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['message', 'fork', 'day', 'message'],
  )
  assert.deepEqual(rows.map(isPrompt), [true, false, false, false])
})
