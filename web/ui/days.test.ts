import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, daysAfter, daysBetween, daysText, isDay, today } from './days.ts'

const now = Date.parse('2026-11-15T23:59:00Z')

test('days are counted in UTC, both ends included, across months and leap days', () => {
  assert.equal(today(now), '2026-11-15')
  assert.equal(daysAfter('2026-03-01', -1), '2026-02-28')
  assert.equal(daysAfter('2028-02-28', 1), '2028-02-29')
  assert.equal(daysBetween('2026-10-30', '2026-11-02'), 4)
})

test('only existing days are valid', () => {
  assert.equal(isDay('2026-02-28'), true)
  for (const text of ['2026-02-30', '2026-2-1', 'today', 20260101]) assert.equal(isDay(text), false)
})

test('a range within one month names the month once', () => {
  assert.equal(daysText('2026-11-09', '2026-11-15', now), '9 – 15 Nov')
  assert.equal(daysText('2026-10-28', '2026-11-03', now), '28 Oct – 3 Nov')
  assert.equal(dayText('2025-12-31', now), '31 Dec 2025')
})
