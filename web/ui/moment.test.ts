import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime, wholeTime } from './moment.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

test('relative times use the largest unit that fits', () => {
  assert.equal(relativeTime('2026-03-10T11:59:40Z', now), 'just now')
  assert.equal(relativeTime('2026-03-10T11:15:00Z', now), '45 minutes ago')
  assert.equal(relativeTime('2026-03-10T09:00:00Z', now), '3 hours ago')
  assert.equal(relativeTime('2026-03-09T11:00:00Z', now), 'yesterday')
  assert.equal(relativeTime('2026-03-14T12:00:00Z', now), 'in 4 days')
  assert.equal(relativeTime('2025-03-01T12:00:00Z', now), 'last year')
})

test('a whole time has its milliseconds, in the time zone of the reader', () => {
  assert.equal(wholeTime('2026-03-10T12:00:07.050'), '10 Mar 2026, 12:00:07.050')
})
