import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiresAt, expiryOf, expiryProblem } from './expiry.ts'
import { overrideProblem, overridesFrom, rowsOf } from './overrides.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const id = '6f1c2f0e-6d3b-4c1a-9a53-0d6f3f1b2a10'

test('an expiry is counted from now, or lasts to the end of the chosen day', () => {
  assert.equal(expiresAt({ choice: 'never', date: '' }, now), null)
  assert.equal(expiresAt({ choice: '7', date: '' }, now), '2026-03-17T12:00:00.000Z')
  const chosen = expiresAt({ choice: 'date', date: '2026-04-01' }, now)
  assert.equal(new Date(chosen ?? '').getTime(), new Date(2026, 3, 1, 23, 59, 59).getTime())
})

test('a day that is past or missing is refused', () => {
  assert.match(expiryProblem({ choice: 'date', date: '2026-03-01' }, now) ?? '', /past/)
  assert.match(expiryProblem({ choice: 'date', date: '' }, now) ?? '', /Choose/)
  assert.equal(expiryProblem({ choice: '30', date: '' }, now), undefined)
})

test('the moment of a key comes back as its day', () => {
  const moment = expiresAt({ choice: 'date', date: '2026-04-01' }, now)
  assert.deepEqual(expiryOf(moment), { choice: 'date', date: '2026-04-01' })
})

test('overrides go to a map and back, empty rows fall away', () => {
  const rows = [
    { provider: ' openai ', keyId: id },
    { provider: '', keyId: ' ' },
  ]
  assert.deepEqual(overridesFrom(rows), { openai: id })
  assert.deepEqual(rowsOf({ openai: id }), [{ provider: 'openai', keyId: id }])
  assert.equal(overrideProblem(rows), undefined)
})

test('an override without a provider, with a bad id or twice is refused', () => {
  assert.match(overrideProblem([{ provider: '', keyId: id }]) ?? '', /Name the provider/)
  assert.match(overrideProblem([{ provider: 'openai', keyId: 'sk-1' }]) ?? '', /is an id/)
  const twice = { provider: 'openai', keyId: id }
  assert.match(overrideProblem([twice, twice]) ?? '', /twice/)
})
