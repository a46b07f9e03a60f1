import assert from 'node:assert/strict'
import { test } from 'node:test'
import { always } from './windows.ts'
import { createReplicas } from './testing-accounts.ts'

const replicas = await createReplicas()
const { log, used } = replicas

const minute = 60_000
const gone = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })

test('what was spent in an outage counts once in a window that began during it', async () => {
  const limit = await replicas.addLimit()
  let isAway = true
  const replica = replicas.addReplica({ caughtUp: () => (isAway ? Promise.reject(gone) : Promise.resolve()) })
  const account = replica.of(limit, Date.now())
  const spend = (amount: bigint, endedAt: number): void => {
    account.charge(amount, endedAt)
    log.push({ limitId: limit.id, endedAt, amount })
  }
  spend(1n, Date.now() - 10 * minute)
  // The database does not take it, and the report is kept as it is.
  await account.flush()
  spend(30n, Date.now() - 5 * minute)
  spend(9n, Date.now())
  isAway = false
  await account.flush()
  await account.flush()
  assert.equal(await used(limit), 40)
  assert.equal(account.usedByAll, 40n)
  await replicas.recounted()
  assert.equal(await used(limit), 40)
})

test('what another replica spent in an outage and reports later counts once', async () => {
  const limit = await replicas.addLimit()
  const [one, other] = [replicas.addReplica(), replicas.addReplica()]
  const late = other.of(limit, Date.now())
  for (const ago of [10 * minute, 3 * minute, 0]) {
    const endedAt = Date.now() - ago
    late.charge(10n, endedAt)
    log.push({ limitId: limit.id, endedAt, amount: 10n })
  }
  await one.ensure(limit, always)
  await late.flush()
  assert.equal(await used(limit), 30)
  await replicas.recounted()
  assert.equal(await used(limit), 30)
})

test('what several replicas spent in the last minute counts once in a window that no process knew', async () => {
  const limit = await replicas.addLimit()
  const accounts = [replicas.addReplica(), replicas.addReplica()].map((each) => each.of(limit, Date.now()))
  for (const account of accounts) account.charge(7n, Date.now())
  // One of the two is in the usage log.
  log.push({ limitId: limit.id, endedAt: Date.now(), amount: 7n })
  for (const account of accounts) await account.flush()
  assert.equal(await used(limit), 14)
})

test('what was not in the usage log yet when its window was counted is counted when it is there', async () => {
  const limit = await replicas.addLimit()
  const account = replicas.addReplica().of(limit, Date.now())
  const spent = [10, 5, 2].map((minutes) => ({ endedAt: Date.now() - minutes * minute, amount: 10n }))
  for (const { endedAt, amount } of spent) account.charge(amount, endedAt)
  await replicas.addReplica().ensure(limit, always)
  await replicas.recounted()
  await account.flush()
  log.push(...spent.map((each) => ({ ...each, limitId: limit.id })))
  await replicas.recounted()
  assert.equal(await used(limit), 30)
})
