import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiresAt, expiryOf, expiryProblem } from './expiry.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

test('an expiry counts from now, or to the end of the chosen day', () => {
  assert.equal(expiresAt({ choice: 'never', date: '' }, now), null)
  assert.equal(expiresAt({ choice: '7', date: '' }, now), '2026-03-17T12:00:00.000Z')
  const chosen = expiresAt({ choice: 'date', date: '2026-04-01' }, now)
  assert.equal(new Date(chosen ?? '').getTime(), new Date(2026, 3, 1, 23, 59, 59).getTime())
})

test('a past or missing day is rejected', () => {
  assert.match(expiryProblem({ choice: 'date', date: '2026-03-01' }, now) ?? '', /past/)
  assert.match(expiryProblem({ choice: 'date', date: '' }, now) ?? '', /Choose/)
  assert.equal(expiryProblem({ choice: '30', date: '' }, now), undefined)
})

test('the expiry of an existing key is shown as its day', () => {
  const moment = expiresAt({ choice: 'date', date: '2026-04-01' }, now)
  assert.deepEqual(expiryOf(moment), { choice: 'date', date: '2026-04-01' })
})
