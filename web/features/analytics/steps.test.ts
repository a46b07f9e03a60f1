import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepText } from './links.ts'
import { stepsOf } from './steps.ts'

const period = { from: '2026-11-16T10:30:00.000Z', to: '2026-11-17T10:30:00.000Z' }
const per_day = [
  { date: '2026-11-16', created: 2 },
  { date: '2026-11-17', created: 1 },
]
const per_hour = [
  { at: '2026-11-16T10:00:00.000Z', created: 2 },
  { at: '2026-11-16T11:00:00.000Z', created: 0 },
]

test('the last 24 hours are shown by hour, and an hour leads to what lies in the period', () => {
  const { step, counts, texts, spanAt } = stepsOf({ days: 1, period, per_day, per_hour })
  assert.equal(step, 'hour')
  assert.deepEqual(counts, per_hour)
  assert.equal(texts.length, 2)
  assert.deepEqual(spanAt(0), { from: period.from, to: '2026-11-16T11:00:00.000Z' })
  assert.equal(spanAt(2), undefined)
})

test('longer periods are shown by day, also where hours are known', () => {
  assert.equal(stepsOf({ days: 2, period, per_day, per_hour }).step, 'day')
  assert.deepEqual(stepsOf({ days: 7, period, per_day, per_hour: null }).counts, per_day)
})

test('a step that the period has only a part of says so', () => {
  const whole = { from: '2026-11-16T00:00:00.000Z', to: '2026-11-17T00:00:00.000Z' }
  const of = (from: string, to: string) => stepText('16 Nov', whole, { from, to })
  assert.equal(of('2026-11-10T00:00:00.000Z', '2026-11-16T10:30:00.000Z'), '16 Nov (unfinished)')
  assert.equal(of('2026-11-16T10:30:00.000Z', '2026-11-17T10:30:00.000Z'), '16 Nov (in part)')
  assert.equal(of('2026-11-16T00:00:00.000Z', '2026-11-17T00:00:00.000Z'), '16 Nov')
})
