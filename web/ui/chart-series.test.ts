import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lonePlaces } from './chart-series.ts'

test('a value without a neighbour is drawn as a point, because no line leads to it', () => {
  assert.deepEqual(lonePlaces([null, null, 12]), [2])
  assert.deepEqual(lonePlaces([3]), [0])
  assert.deepEqual(lonePlaces([0, null, 5, 6, null, 7, null]), [0, 5])
  assert.deepEqual(lonePlaces([1, 2]), [])
})
