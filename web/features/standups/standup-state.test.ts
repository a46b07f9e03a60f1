import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StandupEvent } from '#standups/contract'
import { addEvents, emptyState } from './standup-state.ts'

type Given = { type: StandupEvent['type'] } & Record<string, unknown>

const eventsOf = (given: Given[], from = 1): StandupEvent[] =>
  given.map((each, index) => ({ id: from + index, created_at: '', ...each }) as unknown as StandupEvent)

const delta = (content: string): Given => ({ type: 'delta', message_id: 'm', content })
const whole: Given = {
  type: 'message',
  message_id: 'm',
  role: 'assistant',
  author: null,
  content: 'Hello there',
  interrupted: false,
}
const tool = (name: string): Given => ({ type: 'tool', name, summary: name, is_error: false })

test('pieces become one message, which the whole replaces in its place', () => {
  const events = eventsOf([delta('Hel'), delta('lo'), tool('tickets'), whole])
  const half = addEvents(emptyState, events.slice(0, 3))
  assert.deepEqual(
    half.items.map((item) => item.kind === 'message' && [item.content, item.state]),
    [['Hello', 'streaming'], false],
  )
  const { items } = addEvents(half, events.slice(3))
  assert.deepEqual(
    items.map((item) => item.kind === 'message' && [item.content, item.state]),
    [['Hello there', 'whole'], false],
  )
})

test('events that come a second time, and pieces of a whole message, change nothing', () => {
  const events = eventsOf([delta('Hello'), whole])
  const once = addEvents(emptyState, events)
  assert.equal(addEvents(once, events), once)
  const late = addEvents(once, eventsOf([delta('Hello')], 3))
  assert.deepEqual(late.items, once.items)
})

test('a proposal has one place and its newest state', () => {
  const proposal = (status: string): Given => ({ type: 'proposal', proposal: { id: 'p', status } })
  const state = addEvents(emptyState, eventsOf([proposal('pending'), whole, proposal('accepted')]))
  assert.deepEqual(
    state.items.map(({ kind }) => kind),
    ['proposal', 'message'],
  )
  assert.equal(state.proposals.get('p')?.status, 'accepted')
})

test('lookups in a row are one line', () => {
  const { items } = addEvents(emptyState, eventsOf([tool('a'), tool('b'), whole, tool('c')]))
  assert.deepEqual(
    items.map((item) => (item.kind === 'tools' ? item.tools.map(({ name }) => name) : item.kind)),
    [['a', 'b'], 'message', ['c']],
  )
})

test('the agent is busy from the start of its turn to the end of it, or of the stand-up', () => {
  const started: Given = { type: 'turn', state: 'started' }
  const [first, second] = eventsOf([started, { type: 'turn', state: 'finished' }])
  assert.ok(first && second)
  assert.equal(addEvents(emptyState, [first]).isBusy, true)
  assert.equal(addEvents(emptyState, [first, second]).isBusy, false)
  const over = addEvents(emptyState, eventsOf([started, { type: 'ended', reason: 'person', artifacts: 1 }]))
  assert.deepEqual([over.isBusy, over.ended?.artifacts], [false, 1])
})
