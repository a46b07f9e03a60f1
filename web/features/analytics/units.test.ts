import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hours, percent, rate, seconds } from './units.ts'

test('durations are in the unit that people would say', () => {
  assert.equal(seconds(45), '45.0 s')
  assert.equal(seconds(250), '4 min 10 s')
  assert.equal(seconds(2520), '42 min')
  assert.equal(seconds(3590), '1 h')
  assert.equal(seconds(11_100), '3 h 5 min')
  assert.equal(seconds(7200), '2 h')
  assert.equal(seconds(216_000), '2.5 days')
  assert.equal(hours(36), '36 h')
})

test('an uptime that is not complete is not shown as 100%', () => {
  assert.equal(percent(100), '100%')
  assert.equal(percent(99.9999), '99.999%')
  assert.equal(percent(98.76), '98.7%')
})

test('a rate has at most one digit after the point', () => {
  assert.equal(rate(1.4285), '1.4')
  assert.equal(rate(12), '12')
})
