import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunEvent } from '#agents/contract'
import { emptyLog, extendLog } from './run-log.ts'

type Said = RunEvent extends infer Each
  ? Each extends RunEvent
    ? Omit<Each, 'seq' | 'at' | 'run_id'>
    : never
  : never

const at = '2026-11-16T09:30:00.000Z'
const numbered = (said: Said[], first = 1): RunEvent[] =>
  said.map((event, index) => ({ ...event, run_id: 'run', seq: first + index, at }) as RunEvent)

const call: Said = {
  type: 'tool_call',
  id: 'call_1',
  name: 'platform_sql_execute',
  server: 'platform',
  arguments: { sql: 'select 1' },
}
const done: Said = { type: 'tool_result', id: 'call_1', status: 'done', result: '1', duration_ms: 12 }
const wait = {
  kind: 'approval',
  tool_call_id: 'call_1',
  approval_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  link: '/sql/approvals/1',
  sql: 'drop table orders',
  database: 'application',
  expires_at: at,
} as const

test('pieces of a text are one entry until something else happens', () => {
  const log = extendLog(
    emptyLog,
    numbered([
      { type: 'thought', content: 'Let me ' },
      { type: 'thought', content: 'look.' },
      { type: 'text', content: 'I ' },
      { type: 'text', content: 'look.' },
      call,
      { type: 'text', content: 'One.' },
    ]),
  )
  assert.deepEqual(
    log.entries.map((entry) => ('content' in entry ? `${entry.kind}: ${entry.content}` : entry.kind)),
    ['thought: Let me look.', 'text: I look.', 'call', 'text: One.'],
  )
})

test('events that arrive twice after a lost connection are shown once', () => {
  const events = numbered([{ type: 'text', content: 'a' }, call, done, { type: 'text', content: 'b' }])
  const once = extendLog(emptyLog, events)
  assert.deepEqual(extendLog(once, events.slice(1)), once)
})

test('a result completes its call, wherever it is', () => {
  const log = extendLog(emptyLog, numbered([call, { ...call, id: 'call_2' }, done]))
  assert.deepEqual(
    log.entries.map(
      (entry) => entry.kind === 'call' && [entry.call.id, entry.call.status, entry.call.result],
    ),
    [
      ['call_1', 'done', '1'],
      ['call_2', 'running', null],
    ],
  )
})

test('an approval is one wait, which ends when the run continues; the repeated call is the same card', () => {
  const waiting = extendLog(
    emptyLog,
    numbered([
      call,
      { ...done, status: 'waiting' },
      { type: 'approval', waiting_for: wait },
      { type: 'status', status: 'waiting', waiting_for: wait },
    ]),
  )
  assert.deepEqual(
    waiting.entries.map((entry) => entry.kind === 'wait' && entry.isOver),
    [false, false],
  )
  assert.equal(waiting.entries[1]?.kind, 'wait')
  assert.equal(waiting.live.status, 'waiting')
  const after = extendLog(
    waiting,
    numbered([{ type: 'status', status: 'running', waiting_for: null }, call, done], 5),
  )
  const [first, second, ...more] = after.entries
  assert.equal(first?.kind === 'call' && first.call.status, 'done')
  assert.equal(second?.kind === 'wait' && second.isOver, true)
  assert.deepEqual(more, [])
  assert.deepEqual(after.live, { status: 'running', waiting_for: null })
})

test('an event that this page does not know is passed over', () => {
  const log = extendLog(emptyLog, [{ type: 'weather', seq: 1, at } as unknown as RunEvent])
  assert.deepEqual(log, { ...emptyLog, seq: 1 })
})
