import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Window } from './contract.ts'
import { windowAt } from './windows.ts'

const shown = (window: Window, at: string, zone: string): string[] => {
  const { startsAt, endsAt } = windowAt(window, new Date(at), zone)
  return [startsAt.toISOString(), endsAt?.toISOString() ?? 'never']
}

test('windows begin and end by the calendar of the zone', () => {
  const cases: [Window, string, string, string, string][] = [
    ['minute', '2026-11-18T09:41:59.999Z', 'UTC', '2026-11-18T09:41:00.000Z', '2026-11-18T09:42:00.000Z'],
    ['hour', '2026-11-18T09:41:10Z', 'UTC', '2026-11-18T09:00:00.000Z', '2026-11-18T10:00:00.000Z'],
    // Half past in UTC is the full hour in India.
    ['hour', '2026-11-18T09:41:10Z', 'Asia/Kolkata', '2026-11-18T09:30:00.000Z', '2026-11-18T10:30:00.000Z'],
    ['day', '2026-11-18T23:30:00Z', 'Europe/Berlin', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    [
      'day',
      '2026-11-18T03:00:00Z',
      'America/Los_Angeles',
      '2026-11-17T08:00:00.000Z',
      '2026-11-18T08:00:00.000Z',
    ],
    // The 18th is a Wednesday; the week began on Monday the 16th.
    ['week', '2026-11-18T12:00:00Z', 'UTC', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['week', '2026-11-15T23:59:59Z', 'UTC', '2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
    [
      'month',
      '2026-12-31T23:30:00Z',
      'Europe/Berlin',
      '2026-12-31T23:00:00.000Z',
      '2027-01-31T23:00:00.000Z',
    ],
    ['month', '2026-02-10T00:00:00Z', 'UTC', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ]
  for (const [window, at, zone, from, to] of cases)
    assert.deepEqual(shown(window, at, zone), [from, to], `${window} of ${at} in ${zone}`)
})

test('days on which the clock changes have 23 and 25 hours', () => {
  const [from = '', to = ''] = shown('day', '2026-03-29T12:00:00Z', 'Europe/Berlin')
  assert.deepEqual([from, to], ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  assert.deepEqual(shown('day', '2026-10-25T12:00:00Z', 'Europe/Berlin'), [
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  // In Havana the clock goes from midnight to one o'clock: the day begins at one.
  assert.equal(shown('day', '2026-03-08T12:00:00Z', 'America/Havana')[0], '2026-03-08T05:00:00.000Z')
})

test('what has no window never ends', () => {
  assert.deepEqual(shown('total', '2026-11-18T12:00:00Z', 'Europe/Berlin'), [
    '1970-01-01T00:00:00.000Z',
    'never',
  ])
})

test('a window is never taken for the one beside it', () => {
  const days = [
    '2026-11-18T23:59:59.999Z',
    '2026-11-19T00:00:00Z',
    '2026-11-18T00:00:00Z',
    '2026-11-17T23:59:59.999Z',
  ]
  assert.deepEqual(
    days.map((at) => shown('day', at, 'UTC')[0]),
    [
      '2026-11-18T00:00:00.000Z',
      '2026-11-19T00:00:00.000Z',
      '2026-11-18T00:00:00.000Z',
      '2026-11-17T00:00:00.000Z',
    ],
  )
})
