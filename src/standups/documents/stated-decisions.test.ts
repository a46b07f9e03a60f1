import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StandupEvent } from '../contract.ts'
import { statedDecisions } from './stated-decisions.ts'

const said = (content: string): StandupEvent => ({
  id: 1,
  type: 'message',
  message_id: 'm',
  role: 'user',
  author: 'Ada',
  interrupted: false,
  content,
  created_at: '2026-11-16T09:30:00.000Z',
})

test('each decision of a message has its own reason', () => {
  const message = [
    'Decision: receipts go through a queue',
    'Reason: the mail server is slow',
    'Decision: carts are deleted after a year',
    'Reason: the law asks for it',
    'Decision: we wait',
  ].join('\n')
  assert.deepEqual(
    statedDecisions([said(message)]).map(({ decision, rationale }) => [decision, rationale]),
    [
      ['receipts go through a queue', 'the mail server is slow'],
      ['carts are deleted after a year', 'the law asks for it'],
      ['we wait', ''],
    ],
  )
})

test('a reason may stand before the only decision', () => {
  const [found] = statedDecisions([said('Reason: it is winter\nDecision: we wait')])
  assert.equal(found?.rationale, 'it is winter')
})

test('a message of many decisions costs as much as its length, and 20 of them are kept', () => {
  const costOf = (bytes: number): number => {
    const events = [said('decided:a\n'.repeat(bytes / 10))]
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now()
      assert.equal(statedDecisions(events).length, 20)
      return performance.now() - started
    })
    return Math.min(...times)
  }
  costOf(8_000)
  // Eight times as long: about 8 where the cost grows with the length, 64 where it grows with its square.
  assert.ok(costOf(64_000) < 30 * costOf(8_000))
})
