import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf, readAnalyticsAddress } from './analytics-address.ts'

const now = Date.parse('2026-11-16T12:00:00Z')

test('a custom period is two days in order; otherwise the named range stays', () => {
  assert.deepEqual(readAnalyticsAddress({ from: '2026-10-01', to: '2026-10-31', range: '7d' }), {
    from: '2026-10-01',
    to: '2026-10-31',
  })
  assert.deepEqual(readAnalyticsAddress({ from: '2026-10-31', to: '2026-10-01', range: '30d' }), {
    range: '30d',
  })
  assert.deepEqual(readAnalyticsAddress({ from: '2026-10-01', range: '24h' }), { range: '24h' })
  assert.deepEqual(readAnalyticsAddress({ from: '2026-02-30', to: '2026-03-01' }), {})
  assert.deepEqual(readAnalyticsAddress({ range: 'year' }), {})
})

test('more than 366 days are dropped, because the server refuses them', () => {
  assert.deepEqual(readAnalyticsAddress({ from: '2025-11-16', to: '2026-11-16' }), {
    from: '2025-11-16',
    to: '2026-11-16',
  })
  assert.deepEqual(readAnalyticsAddress({ from: '2025-11-15', to: '2026-11-16' }), {})
})

test('a service whose name is a number stays a name', () => {
  assert.deepEqual(readAnalyticsAddress({ service: 42 }), { service: '42' })
})

test('24 hours are asked for by time, days by number, a custom period by date, all in the zone of the viewer', () => {
  assert.deepEqual(parametersOf({ range: '24h' }, 'Europe/Berlin', now), {
    from: '2026-11-15T12:00:00.000Z',
    tz: 'Europe/Berlin',
  })
  assert.deepEqual(parametersOf({}, 'UTC', now), { days: '7', tz: 'UTC' })
  assert.deepEqual(parametersOf({ range: '30d', service: 'web' }, 'UTC', now), {
    days: '30',
    tz: 'UTC',
    service: 'web',
  })
  assert.deepEqual(parametersOf({ from: '2026-10-01', to: '2026-10-31' }, 'UTC', now), {
    from: '2026-10-01',
    to: '2026-10-31',
    tz: 'UTC',
  })
})
