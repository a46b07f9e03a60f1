import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeText } from './change-text.ts'

const textOf = (now: number | null, before: number | null, isShare = false): string =>
  changeText({ now, before, isShare }).text

test('a change is said in percent, a share in points', () => {
  assert.equal(textOf(9, 8), '+12.5%')
  assert.equal(textOf(6, 8), '−25%')
  assert.equal(textOf(99, 10), '+890%')
  assert.equal(textOf(0.5, 0.25, true), '+25.0 points')
  assert.equal(textOf(0.25, 0.5, true), '−25.0 points')
  assert.equal(textOf(0.5, 0, true), '+50.0 points')
})

test('ten times as much and more is a factor, not a percentage', () => {
  assert.equal(textOf(20, 2), '10 ×')
  assert.equal(textOf(785, 2), '393 ×')
  assert.equal(changeText({ now: 785, before: 2 }).direction, 1)
})

test('after a period with nearly nothing a figure is new', () => {
  assert.equal(textOf(3, 0), 'new')
  assert.equal(textOf(5, 0.001), 'new')
})

test('nothing to compare, and no change', () => {
  assert.equal(textOf(null, 3), '–')
  assert.equal(textOf(3, null), '–')
  assert.equal(textOf(0, 0), 'no change')
  assert.equal(textOf(10_001, 10_000), 'no change')
})
