import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grant, type GrantInput } from './grant.ts'

const given = (more: Partial<GrantInput>): GrantInput => ({
  ...{
    amount: 1_000n,
    used: 0n,
    leased: 0n,
    reserved: 0n,
    kept: 0n,
    waiting: [],
    typical: 10n,
    isFrugal: false,
  },
  ...more,
})

test('far from the limit a process gets what it needs and an eighth of the rest', () => {
  // 1000 - 10 = 990, an eighth is 123.
  assert.equal(grant(given({ waiting: [10n] })), 133n)
})

test('near the limit a process gets what its requests need and nothing ahead', () => {
  // 300 - 10 = 290, an eighth is 36: less than four requests.
  assert.equal(grant(given({ used: 700n, waiting: [10n] })), 10n)
})

test('requests that do not fit get nothing, smaller ones behind them do', () => {
  assert.equal(grant(given({ used: 900n, reserved: 50n, waiting: [60n, 40n, 20n] })), 90n)
})

test('a request that needs more than is left gets it only when nobody else holds anything', () => {
  assert.equal(grant(given({ used: 990n, waiting: [60n, 60n] })), 60n)
  assert.equal(grant(given({ used: 990n, leased: 1n, waiting: [60n] })), 0n)
  assert.equal(grant(given({ used: 990n, reserved: 5n, waiting: [60n] })), 5n)
  assert.equal(grant(given({ used: 1_000n, waiting: [60n] })), 0n)
  // 1000 - 900 - 50 = 50 are free.
  assert.equal(grant(given({ used: 900n, leased: 50n, waiting: [60n] })), 0n)
})

test('what may just be taken is never given back', () => {
  assert.equal(grant(given({ used: 990n, kept: 30n })), 30n)
})
