import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuietHours } from './contract.ts'
import { endOfQuiet } from './quiet-hours.ts'

const end = (quiet: QuietHours, at: string, zone = 'UTC'): string =>
  endOfQuiet(quiet, new Date(at), zone).toISOString()

test('quiet hours end in the morning, also when they began yesterday; outside of them nothing waits', () => {
  const night = { from: '22:00', to: '07:00' }
  assert.equal(end(night, '2026-03-02T21:59:59Z'), '2026-03-02T21:59:59.000Z')
  assert.equal(end(night, '2026-03-02T22:00:00Z'), '2026-03-03T07:00:00.000Z')
  assert.equal(end(night, '2026-03-03T06:59:59Z'), '2026-03-03T07:00:00.000Z')
  assert.equal(end(night, '2026-03-03T07:00:00Z'), '2026-03-03T07:00:00.000Z')
})

test('quiet hours are those of their time zone, or of the group, across a change of the clock', () => {
  const night = { from: '22:00', to: '07:00' }
  // 21:30 UTC is 22:30 in Berlin; on 29 March 2026 its clocks go from 2:00 to 3:00.
  assert.equal(end(night, '2026-03-28T21:30:00Z', 'Europe/Berlin'), '2026-03-29T05:00:00.000Z')
  assert.equal(end(night, '2026-03-27T21:30:00Z', 'Europe/Berlin'), '2026-03-28T06:00:00.000Z')
  assert.equal(
    end({ ...night, time_zone: 'Asia/Kolkata' }, '2026-03-02T17:00:00Z', 'Europe/Berlin'),
    '2026-03-03T01:30:00.000Z',
  )
})

test('days are those on which quiet hours begin; whole days follow each other', () => {
  // 6 March 2026 is a Friday.
  const weekend: QuietHours = { from: '00:00', to: '00:00', days: ['sat', 'sun'] }
  assert.equal(end(weekend, '2026-03-06T23:59:00Z'), '2026-03-06T23:59:00.000Z')
  assert.equal(end(weekend, '2026-03-07T10:00:00Z'), '2026-03-09T00:00:00.000Z')
  const friday: QuietHours = { from: '22:00', to: '07:00', days: ['fri'] }
  assert.equal(end(friday, '2026-03-07T06:00:00Z'), '2026-03-07T07:00:00.000Z')
  assert.equal(end(friday, '2026-03-07T23:00:00Z'), '2026-03-07T23:00:00.000Z')
})

test('without quiet hours nothing waits', () => {
  const now = new Date('2026-03-02T23:00:00Z')
  assert.equal(endOfQuiet(null, now, 'UTC'), now)
})
