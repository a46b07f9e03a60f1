import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misjudged, planNodes } from './plan-nodes.ts'

const scan = { 'Node Type': 'Seq Scan', 'Relation Name': 'orders', Filter: '(id > 7)', 'Plan Rows': 40 }

test('each step has its own share of the cost, without the steps below it', () => {
  const nodes = planNodes([
    {
      Plan: {
        'Node Type': 'Sort',
        'Total Cost': 100,
        'Plan Rows': 40,
        Plans: [{ ...scan, 'Total Cost': 75 }],
      },
    },
  ])
  assert.deepEqual(
    nodes.map(({ name, on, depth, share }) => [name, on, depth, share]),
    [
      ['Sort', null, 0, 0.25],
      ['Seq Scan', 'orders', 1, 0.75],
    ],
  )
  assert.deepEqual(nodes[1]?.conditions, [{ name: 'Filter', text: '(id > 7)' }])
})

test('of a statement that was run, shares are of the time, and rows of all loops count', () => {
  const below = { ...scan, 'Total Cost': 1, 'Actual Rows': 500, 'Actual Loops': 3, 'Actual Total Time': 2 }
  const [join, inner] = planNodes({
    Plan: {
      'Node Type': 'Nested Loop',
      'Join Type': 'Left',
      'Total Cost': 100,
      'Plan Rows': 1,
      'Actual Rows': 1500,
      'Actual Loops': 1,
      'Actual Total Time': 8,
      Plans: [below],
    },
  })
  assert.deepEqual([join?.name, join?.share, inner?.share], ['Nested Loop (left)', 0.25, 0.75])
  assert.deepEqual([inner?.milliseconds, inner?.actualRows, inner?.rows], [6, 1500, 120])
  assert.equal(inner && misjudged(inner), '12 × more')
})

test('a LIMIT that costs less than what is below it has no share, and a command without a plan no steps', () => {
  const limit = { 'Node Type': 'Limit', 'Total Cost': 10, Plans: [{ ...scan, 'Total Cost': 400 }] }
  assert.deepEqual(
    planNodes([{ Plan: limit }]).map(({ share }) => share),
    [0, 1],
  )
  assert.deepEqual(planNodes(null), [])
})
