import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpendChange } from '#usage/contract'
import { placeOf, waterfallOf } from './waterfall.ts'

const span = { start_date: '2026-11-08', end_date: '2026-11-14' }
const change: SpendChange = {
  by: 'route',
  ...span,
  before: span,
  total: { before: '10', now: '16', change: '6' },
  data: [
    { id: 'fast', name: 'fast', before: '2', now: '12', change: '10' },
    { id: null, name: null, before: '6', now: '2', change: '-4' },
    { id: 'same', name: 'same', before: '1', now: '1', change: '0' },
  ],
  others: { count: 3, before: '1', now: '1', change: '0' },
  is_complete: true,
}

test('the bars lead from the sum before to the sum now, and what did not change has none', () => {
  const steps = waterfallOf(change)
  assert.deepEqual(
    steps.map(({ name, from, to, kind }) => [name, from, to, kind]),
    [
      ['Before', 0, 10, 'sum'],
      ['fast', 10, 20, 'up'],
      ['Without a route', 20, 16, 'down'],
      ['Now', 0, 16, 'sum'],
    ],
  )
  assert.deepEqual(
    steps.map((step) => placeOf(step, steps)),
    [
      { left: 0, width: 50 },
      { left: 50, width: 50 },
      { left: 80, width: 20 },
      { left: 0, width: 80 },
    ],
  )
})

test('nothing spent at all is drawn without a division by nought', () => {
  const nothing = { before: '0', now: '0', change: '0' }
  const steps = waterfallOf({ ...change, total: nothing, data: [], others: { count: 0, ...nothing } })
  assert.deepEqual(
    steps.map((step) => placeOf(step, steps)),
    [
      { left: 0, width: 0.4 },
      { left: 0, width: 0.4 },
    ],
  )
})
