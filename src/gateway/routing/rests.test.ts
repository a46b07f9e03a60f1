import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, faults } from '#kernel/errors'
import { Circuits } from './circuits.ts'
import { failureOf } from './failure.ts'
import { Rests } from './rests.ts'

const hour = 3_600_000
const refused = failureOf(
  new Fault(faults.provider, 'slow down', { headers: { 'retry-after-ms': '1' } }),
  429,
)

function waitMs(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a key does not rest for longer because the clock of the machine is set back', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: hour })
  const rests = new Rests()
  rests.refused('key', refused)
  context.mock.timers.setTime(0)
  waitMs(2)
  assert.equal(rests.resting(), 0)
})

test('a circuit is not open for longer either', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: hour })
  const circuits = new Circuits()
  for (let each = 0; each < 5; each++) circuits.failed('key model')
  context.mock.timers.setTime(0)
  assert.ok(circuits.closedUntil('key model') - performance.now() <= 15_000)
})
