import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelsOf } from './levels.ts'
import { frequencyClass, weekOf } from './weeks.ts'

test('a week begins on Monday, also across the turn of the year', () => {
  assert.equal(weekOf('2024-05-06'), '2024-05-06')
  assert.equal(weekOf('2024-05-12'), '2024-05-06')
  assert.equal(weekOf('2025-01-01'), '2024-12-30')
})

/** Four weeks from Monday, 6 May 2024; the digits are the deployments of each day. */
const days = (...weeks: string[]) =>
  weeks
    .join('')
    .split('')
    .map((digit, n) => ({
      date: new Date(Date.UTC(2024, 3, 1 + n)).toISOString().slice(0, 10),
      succeeded: Number(digit),
    }))

test('how often a team deploys is classed by the days with a deployment in its middle week', () => {
  assert.equal(frequencyClass(days('1110000', '9000000', '1111100', '1010100')), 'daily')
  assert.equal(frequencyClass(days('1110000', '9000000', '1000000', '0000000')), 'weekly')
  assert.equal(frequencyClass(days('1000000', '0000000', '0000000', '0000000')), 'monthly')
  assert.equal(frequencyClass(days('0000000', '0000000', '0000000', '0000000')), null)
})

test('a team that deploys in fewer than half of its months is classed as yearly', () => {
  const year = Array.from({ length: 366 }, (_, n) => ({
    date: new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10),
    succeeded: n === 100 ? 3 : 0,
  }))
  assert.equal(frequencyClass(year), 'yearly')
})

test('the levels of a heatmap are quarters of the days that are not empty', () => {
  assert.deepEqual(levelsOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 0]), [0, 1, 1, 2, 2, 3, 3, 4, 4, 0])
  assert.deepEqual(levelsOf([0, 5, 5]), [0, 1, 1])
  assert.deepEqual(levelsOf([]), [])
})
