import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitsOf, noLimits } from './limits.ts'

test('only limits that were typed are sent', () => {
  assert.deepEqual(limitsOf(noLimits), { limits: {}, faults: {} })
  assert.deepEqual(limitsOf({ ...noLimits, max_steps: ' 5 ', max_cost: '0.25' }), {
    limits: { max_steps: 5, max_cost: 0.25 },
    faults: {},
  })
})

test('what the server would refuse is named beside its field', () => {
  const { limits, faults } = limitsOf({
    max_steps: '1.5',
    max_seconds: '0',
    max_tokens: 'many',
    max_cost: '-1',
  })
  assert.deepEqual(limits, {})
  assert.deepEqual(Object.keys(faults), ['max_steps', 'max_seconds', 'max_tokens', 'max_cost'])
  assert.equal(faults.max_steps, 'must be a whole number from 1 to 1,000')
  assert.equal(faults.max_cost, 'must be a number above 0, up to 1,000,000')
})
