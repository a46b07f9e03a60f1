import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct, temporaryFolder } from '#test/product'
import { killRounds } from '../../../bench/transcripts/kill-rounds.ts'
import { writeSamples } from '../write-samples.ts'

test('a watcher that is killed at any moment loses nothing and stores nothing twice', async () => {
  const home = temporaryFolder()
  writeSamples(home)
  const [killed, undisturbed] = [await startProduct(), await startProduct()]
  const verdict = await killRounds({ rounds: 3, home, killed, undisturbed, turnsPerRound: 200 })
  assert.deepEqual(verdict.different, [])
  assert.ok(verdict.messages > 3 * 200 * 4 && verdict.sessions > 8, JSON.stringify(verdict))
})
