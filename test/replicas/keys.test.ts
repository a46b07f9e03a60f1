import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../harness/database.ts'
import { startProduct, temporaryFolder } from '../harness/product.ts'
import { waitFor } from '../harness/wait.ts'

const one = await startProduct()

/** The cookie of a person who signed in at the first replica. */
async function signedIn(): Promise<string> {
  const { json } = await one.call(`/api/v1/groups/${one.first.groupId}/invitations`, {
    json: { role: 'member' },
  })
  const accepted = await one.call('/api/auth/invitation/accept', {
    json: {
      token: new URL(json.url as string).searchParams.get('token'),
      name: 'Replica',
      email: 'replica@example.com',
      password: 'a long enough password',
    },
    headers: { origin: one.url },
  })
  return accepted.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

test('without SESSION_SECRET a session of one replica is good on the others', async () => {
  const two = await startProduct({}, one.target)
  const cookie = await signedIn()
  const me = await two.call('/api/v1/me', { headers: { cookie, origin: two.url, 'x-owner-token': '' } })
  assert.deepEqual([me.status, me.json.user?.email], [200, 'replica@example.com'])
  await two.stop()
})

test('replicas with different session secrets say so at the start and in /readyz', async () => {
  const two = await startProduct({ SESSION_SECRET: 'x'.repeat(32) }, one.target)
  assert.match(two.logged(), /"level":"warn".*SESSION_SECRET differs between replicas/)
  assert.doesNotMatch(two.logged(), /x{32}/)
  const { json } = await two.call('/readyz')
  assert.equal(json.problems.length, 1)
  assert.match(json.problems[0], /^SESSION_SECRET differs between replicas/)
  await two.stop()
})

test('a second replica without the master key does not start, and makes no key of its own', async () => {
  const dataDir = temporaryFolder()
  await assert.rejects(
    startProduct({ DATA_DIR: dataDir, MASTER_KEY: '' }, one.target),
    /^StartFault: There is no master key here, but another replica .* Set MASTER_KEY to the same value on every replica/,
  )
  assert.ok(!existsSync(join(dataDir, 'master.key')))
})

test('nor does one with another master key', async () => {
  const other = Buffer.alloc(32, 5).toString('base64')
  await assert.rejects(
    startProduct({ MASTER_KEY: other }, one.target),
    /^StartFault: Another replica .* runs on this database with the master key [0-9a-f]{16}, but the one here is [0-9a-f]{16}\. Set MASTER_KEY/,
  )
})

test('with the other replica gone and nothing sealed that matters, a new master key is made', async () => {
  const target = await createTestDatabase()
  const first = await startProduct({}, target)
  await first.stop()
  const dataDir = temporaryFolder()
  const second = await startProduct({ DATA_DIR: dataDir, MASTER_KEY: '' }, target)
  await waitFor('the key', () => existsSync(join(dataDir, 'master.key')))
  await second.stop()
})

test('a session secret that an earlier version kept in a file moves to the database', async () => {
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'session.key')
  writeFileSync(file, `${Buffer.alloc(32, 3).toString('base64')}\n`, { mode: 0o600 })
  const target = await createTestDatabase()
  const moved = await startProduct({ DATA_DIR: dataDir }, target)
  assert.ok(!existsSync(file))
  // One that is given the same secret has the same fingerprint.
  const same = await startProduct({ SESSION_SECRET: Buffer.alloc(32, 3).toString('base64') }, target)
  assert.doesNotMatch(same.logged(), /SESSION_SECRET differs/)
  await same.stop()
  await moved.stop()
})
