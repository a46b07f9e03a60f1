import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tiersOf } from './tiers.ts'

test('a file that loads a database, straight or through the harness, is not of the tier without one', () => {
  const pure = ['src/kernel/mask/mask.test.ts', 'test/run/tiers.test.ts']
  const database = [
    'src/kernel/db/database.test.ts',
    'test/ledger.test.ts',
    'test/browser/usage-pages.test.ts',
  ]
  assert.deepEqual(tiersOf([...pure, ...database]), { pure, database })
})
