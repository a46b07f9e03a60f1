import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '#test/rounds'
import { killRounds } from '../bench/ledger/kill-rounds.ts'
import { outage } from '../bench/ledger/outage.ts'

// A short form of npm run bench:ledger, which does a hundred rounds and a minute.

test(
  'killed with -9 under load, every request it took has exactly one row',
  { timeout: 240_000 },
  async () => {
    const { accepted, lost, doubled, mistaken, summedWrong } = await killRounds(rounds(2, 20))
    assert.ok(accepted > 0)
    assert.deepEqual([lost, doubled, mistaken, summedWrong], [0, 0, 0, 0])
  },
)

test(
  'a database that goes away and comes back fails no request and loses no row',
  { timeout: 240_000 },
  async () => {
    const { duringOutage, failed, interrupted, lost, doubled, summedWrong } = await outage(2)
    assert.ok(duringOutage > 0)
    assert.deepEqual([failed, interrupted, lost, doubled, summedWrong], [0, 0, 0, 0, 0])
  },
)
