import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReplicas } from './testing-accounts.ts'

test('what is left of a limit is used, also where replicas hold parts of it that are too small and requests wait in each', async () => {
  const replicas = await createReplicas()
  const limit = await replicas.addLimit()
  const percent = limit.amount / 100n
  const accounts = [replicas.addReplica(), replicas.addReplica()].map((each) => each.of(limit, Date.now()))
  for (const account of accounts) {
    assert.equal(await account.want(percent), 'taken')
    account.giveBack(percent)
  }
  // Each has a share in advance, and no share is enough.
  let isTaken = false
  const ask = async (account: (typeof accounts)[number]): Promise<void> => {
    for (let times = 0; times < 10 && !isTaken; times++)
      if ((await account.want(95n * percent)) === 'taken') isTaken = true
  }
  await Promise.all(accounts.flatMap((account) => [ask(account), ask(account)]))
  assert.ok(isTaken)
})
