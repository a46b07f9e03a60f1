import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { endOfDay, inputTime, isoTime, offsetAt } from './input-time.ts'
import { exactTime, isSameDay, millisecondText, setTimeZone, timeZone, wholeTime } from './moment.ts'

after(() => setTimeZone(null))

test('times are shown and typed in the time zone of the group', () => {
  setTimeZone('Asia/Kolkata')
  assert.equal(timeZone(), 'Asia/Kolkata')
  assert.equal(exactTime('2026-11-16T20:00:00Z'), '17 November 2026 at 01:30')
  assert.equal(wholeTime('2026-11-16T20:00:07.050Z'), '17 Nov 2026, 01:30:07.050')
  assert.equal(millisecondText('2026-11-16T20:00:07.050Z'), '01:30:07.050')
  assert.equal(inputTime('2026-11-16T20:00:00Z'), '2026-11-17T01:30')
  assert.equal(isoTime('2026-11-17T01:30'), '2026-11-16T20:00:00.000Z')
  assert.equal(endOfDay('2026-11-17'), '2026-11-17T18:29:59.000Z')
  assert.equal(isSameDay('2026-11-16T20:00:00Z', '2026-11-17T02:00:00Z'), true)
})

test('a time typed on the day of a clock change means the time that the clocks show', () => {
  setTimeZone('Europe/Berlin')
  // On 29 March 2026 the clocks go from 02:00 to 03:00, on 25 October from 03:00 back to 02:00.
  assert.equal(isoTime('2026-03-29T01:30'), '2026-03-29T00:30:00.000Z')
  assert.equal(isoTime('2026-03-29T03:30'), '2026-03-29T01:30:00.000Z')
  assert.equal(isoTime('2026-10-25T01:30'), '2026-10-24T23:30:00.000Z')
  assert.equal(isoTime('2026-10-25T03:30'), '2026-10-25T02:30:00.000Z')
  assert.equal(offsetAt(Date.parse('2026-07-01T00:00:00Z')), 2 * 3_600_000)
})

test('an empty field has no time', () => {
  assert.equal(inputTime(null), '')
  assert.equal(isoTime(''), undefined)
  assert.equal(endOfDay(''), undefined)
})
