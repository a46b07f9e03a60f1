import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickedSeries } from './picked-series.ts'

const series = [
  { name: 'Succeeded', colour: '', values: [4, 0], texts: [] },
  { name: 'Failed', colour: '', values: [2, 3], texts: [] },
]

test('a click on a stack picks the layer under the pointer, and none above it', () => {
  const picked = (index: number, value: number) => pickedSeries({ series, form: 'stack' }, index, value)
  assert.deepEqual(
    [picked(0, 3.9), picked(0, 4.1), picked(0, 6.1), picked(1, 1)],
    ['Succeeded', 'Failed', undefined, 'Failed'],
  )
})

test('a click on lines picks the nearest one', () => {
  const picked = (index: number, value: number) => pickedSeries({ series, form: 'lines' }, index, value)
  assert.deepEqual([picked(0, 3.1), picked(0, 2.9), picked(1, 1)], ['Succeeded', 'Failed', 'Succeeded'])
})
