import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf } from './confidence-steps.ts'

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`
const now = Date.parse(at(11))

test('each confidence holds until the next change, and the last until now', () => {
  const history = [
    { confidence: 40, proposed: null, created_at: at(1) },
    { confidence: 70, proposed: 80, created_at: at(6) },
  ]
  assert.deepEqual(stepsOf(history, now), {
    steps: [
      { from: 0, to: 50, value: 40 },
      { from: 50, to: 100, value: 70 },
    ],
    estimates: [{ at: 50, value: 80 }],
  })
})

test('a change of this moment, one in the future and no change at all are drawn within the picture', () => {
  const change = { confidence: 40, proposed: null, created_at: at(11) }
  assert.deepEqual(stepsOf([change], now).steps, [{ from: 0, to: 100, value: 40 }])
  const [step] = stepsOf([change, { ...change, created_at: at(30) }], now).steps
  assert.deepEqual(step, { from: 0, to: 100, value: 40 })
  assert.deepEqual(stepsOf([], now), { steps: [], estimates: [] })
})
