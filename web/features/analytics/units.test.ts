import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hours, percent, rate, seconds } from './units.ts'

test('seconds and hours are shown as durations are everywhere', () => {
  assert.equal(seconds(250), '4 min 10 s')
  assert.equal(hours(36), '36 h')
  assert.equal(hours(60), '2 d 12 h')
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
