import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterOf, readLogsAddress } from './logs-address.ts'

test('one value stays a word in the address, several are a list, and what is not a value is dropped', () => {
  assert.deepEqual(
    readLogsAddress({ model: 'a', provider: ['x', 'y', 'x', ''], api_key_id: [], status: 'odd' }),
    {
      model: 'a',
      provider: ['x', 'y'],
    },
  )
  assert.deepEqual(readLogsAddress({ model: [4, 'a'], q: 42 }), { model: ['4', 'a'], q: '42' })
  assert.deepEqual(readLogsAddress({ route: 'fast', min_attempts: 2 }), { route: 'fast', min_attempts: 2 })
  assert.deepEqual(readLogsAddress({ route: '', min_attempts: 1 }), {})
})

test('UTC days of a link become the same moments', () => {
  assert.deepEqual(readLogsAddress({ start_date: '2026-03-01', end_date: '2026-03-01' }), {
    since: '2026-03-01T00:00:00.000Z',
    until: '2026-03-02T00:00:00.000Z',
  })
  assert.deepEqual(readLogsAddress({ since: '2026-03-02T00:00:00Z', until: '2026-03-01T00:00:00Z' }), {})
})

test('a range ends now and stays a range in the address', () => {
  const search = readLogsAddress({ range: '1h', since: '2026-03-01T00:00:00Z', request: 'req_1' })
  assert.deepEqual(search, { range: '1h' })
  assert.deepEqual(filterOf(search, Date.parse('2026-03-01T12:00:00Z')), {
    since: '2026-03-01T11:00:00.000Z',
  })
})
