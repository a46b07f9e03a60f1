import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remainingText } from './remaining.ts'

test('the time that is left is shown in its two largest units', () => {
  const now = Date.parse('2026-11-16T09:00:00.000Z')
  for (const [until, text] of [
    ['2026-11-16T09:00:30.000Z', 'less than a minute'],
    ['2026-11-16T09:59:59.000Z', '59 min'],
    ['2026-11-16T11:00:00.000Z', '2 h'],
    ['2026-11-16T10:58:10.000Z', '1 h 58 min'],
    ['2026-11-19T13:30:00.000Z', '3 d 4 h'],
  ] as const)
    assert.equal(remainingText(until, now), text)
})
