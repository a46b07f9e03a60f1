import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedLog } from './log-queries.ts'
import { arrive, merge, noArrivals } from './arrivals.ts'
import { filterOf, readLogsAddress } from './logs-address.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id }) as ListedLog)
const ids = (list: readonly ListedLog[]) => list.map(({ id }) => id).join('')

test('rows are merged newest first, each once', () => {
  assert.equal(ids(merge(rows('d', 'b'), rows('c', 'b', 'a'))), 'dcba')
})

test('new rows are shown at once, or wait while the user reads', () => {
  const listed = new Set(['a', 'b'])
  const reading = arrive(noArrivals, rows('d', 'c', 'b'), listed, undefined, true)
  assert.deepEqual([ids(reading.shown), ids(reading.waiting)], ['', 'dc'])
  const still = arrive(reading, rows('e', 'd', 'c'), listed, undefined, true)
  assert.deepEqual([ids(still.shown), ids(still.waiting)], ['', 'edc'])
  const looking = arrive(still, [], listed, undefined, false)
  assert.deepEqual([ids(looking.shown), ids(looking.waiting)], ['edc', ''])
})

test('nothing new changes nothing', () => {
  const before = { shown: rows('c'), waiting: [] }
  assert.equal(arrive(before, rows('c', 'b'), new Set(['b']), undefined, false), before)
})

test('rows older than the list are not new', () => {
  const { shown } = arrive(noArrivals, rows('d', 'b', 'a'), new Set(['c']), 'c', false)
  assert.equal(ids(shown), 'd')
})

test('the open request is in the address but not part of the filter', () => {
  const request = `req_${'0'.repeat(32)}`
  const search = readLogsAddress({ status: 'error', request, model: 'gpt', page: 3 })
  assert.deepEqual(search, { status: 'error', request, model: 'gpt' })
  assert.deepEqual(filterOf(search, 0), { status: 'error', model: 'gpt' })
  assert.deepEqual(readLogsAddress({ request: 'req_1', status: 'fine' }), {})
})
