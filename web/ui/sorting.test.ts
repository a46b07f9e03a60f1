import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOrder, sortRows } from './sorting.ts'

test('the first click sorts, the second turns the order round, the third takes it back', () => {
  const first = nextOrder(undefined, 'Name', false)
  assert.deepEqual(first, { column: 'Name', isDescending: false })
  const second = nextOrder(first, 'Name', false)
  assert.deepEqual(second, { column: 'Name', isDescending: true })
  assert.equal(nextOrder(second, 'Name', false), undefined)
  assert.deepEqual(nextOrder(first, 'Cost', true), { column: 'Cost', isDescending: true })
})

test('names sort as people count, numbers by size, and rows without a value come last', () => {
  const byName = sortRows(['run 10', 'Run 9', ''], (name) => name, false)
  assert.deepEqual(byName, ['Run 9', 'run 10', ''])
  const sizes = [{ size: 3 }, { size: null }, { size: 20 }]
  assert.deepEqual(
    sortRows(sizes, ({ size }) => size, true).map(({ size }) => size),
    [20, 3, null],
  )
  assert.deepEqual(
    sortRows(sizes, ({ size }) => size, false).map(({ size }) => size),
    [3, 20, null],
  )
})
