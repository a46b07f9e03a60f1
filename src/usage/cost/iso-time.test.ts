import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoTime } from './iso-time.ts'

test('a time is written to the millisecond, also when its second was written before', () => {
  const second = Date.UTC(2026, 10, 15, 9, 59, 59)
  assert.equal(isoTime(second), '2026-11-15T09:59:59.000Z')
  assert.equal(isoTime(second + 7), '2026-11-15T09:59:59.007Z')
  assert.equal(isoTime(second + 45), '2026-11-15T09:59:59.045Z')
  assert.equal(isoTime(second + 999), '2026-11-15T09:59:59.999Z')
  assert.equal(isoTime(second + 1_000), '2026-11-15T10:00:00.000Z')
})

test('every time is written as a Date writes it, and none that is no time', () => {
  for (let round = 0; round < 10_000; round++) {
    const time = Math.floor(Math.random() ** 4 * 8.64e15) * (Math.random() < 0.1 ? -1 : 1)
    assert.equal(isoTime(time), new Date(time).toISOString())
  }
  for (const time of [Number.NaN, Infinity, 8.64e15 + 1_000]) assert.throws(() => isoTime(time), RangeError)
})
