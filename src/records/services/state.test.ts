import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextHealth, type Health } from './state.ts'

/** Checks in order, `+` passed and `-` failed, small in maintenance (`p`, `f`): the states and what happened to the incident. */
function play(checks: string, guard = { failures_to_open: 3, passes_to_close: 2 }): string[] {
  let health: Health = { state: 'unknown', failures: 0, passes: 0 }
  let hasIncident = false
  return checks.split('').map((check) => {
    const ok = check === '+' || check === 'p'
    const inMaintenance = check === 'p' || check === 'f'
    const next = nextHealth(health, { ok, inMaintenance, hasIncident }, guard)
    health = next
    if (next.incident !== 'stays') hasIncident = next.incident === 'opens'
    return next.incident === 'stays' ? next.state : `${next.state} ${next.incident}`
  })
}

test('three failures in a row open an incident, two passes close it', () => {
  assert.deepEqual(play('+---+++'), ['up', 'up', 'up', 'down opens', 'down', 'up closes', 'up'])
})

test('a service that flaps opens nothing, and one that is down stays down', () => {
  assert.deepEqual(play('+--+--+'), ['up', 'up', 'up', 'up', 'up', 'up', 'up'])
  assert.deepEqual(play('---+-+-'), ['unknown', 'unknown', 'down opens', 'down', 'down', 'down', 'down'])
})

test('with one failure and one pass every change counts', () => {
  assert.deepEqual(play('+-+', { failures_to_open: 1, passes_to_close: 1 }), [
    'up',
    'down opens',
    'up closes',
  ])
})

test('failures in maintenance open nothing and do not count afterwards', () => {
  assert.deepEqual(play('+--fff--+'), [
    ...['up', 'up', 'up'],
    ...['maintenance', 'maintenance', 'maintenance'],
    ...['unknown', 'unknown', 'up'],
  ])
})

test('passes in maintenance close what was open before', () => {
  assert.deepEqual(play('---fpp+'), [
    ...['unknown', 'unknown', 'down opens'],
    ...['maintenance', 'maintenance', 'maintenance closes'],
    'up',
  ])
})
