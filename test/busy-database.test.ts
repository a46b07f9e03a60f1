import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { personWith } from './harness/people.ts'
import { startProduct } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const product = await startProduct({ DATABASE_STATEMENT_TIMEOUT_MS: '2000' })
const owner = await personWith(product, 'owner')
const viewer = await personWith(product, 'viewer')
const keeper = new pg.Client(clientConfig(product.target))
// The database is dropped before the hook below runs.
keeper.on('error', () => undefined)
await keeper.connect()
after(() => keeper.end())

test('a person whose reads take long keeps nobody else from reading or signing in', async () => {
  await keeper.query('begin')
  await keeper.query('lock table records.tickets in access exclusive mode')
  const slow = Array.from({ length: 60 }, () => viewer('/api/tickets'))
  // The owner asks while far more wait than the connections can serve in the time that a request waits for one.
  for (let round = 0; round < 5; round++) {
    const seen = await Promise.all(['/api/v1/me', '/api/v1/keys', '/api/devlogs'].map((path) => owner(path)))
    assert.deepEqual(
      seen.map(({ status }) => status),
      [200, 200, 200],
    )
  }
  const late = await personWith(product, 'member')
  assert.equal((await late('/api/devlogs')).status, 200)

  const refused = await Promise.all(slow)
  for (const { status, json, headers } of refused) {
    assert.equal(status, 503)
    assert.equal(json.error.code, 'unavailable')
    assert.match(json.error.message, /The database is busy/)
    assert.equal(headers.get('retry-after'), '2')
  }
  await keeper.query('rollback')
  assert.equal((await viewer('/api/tickets')).status, 200)
})

test('a busy pool does not make the server look unavailable', async () => {
  const small = await startProduct({ DATABASE_POOL_SIZE: '2' })
  const people = [await personWith(small, 'owner'), await personWith(small, 'viewer')]
  const holder = new pg.Client(clientConfig(small.target))
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table records.tickets in access exclusive mode')
  const slow = people.map((person) => person('/api/tickets'))
  await waitFor('both connections to be in use', async () => {
    await holder.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await holder.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rowCount === 2
  })
  const { status, json } = await small.call('/readyz')
  await holder.end()
  assert.deepEqual([status, json.status, json.database], [200, 'ready', 'ok'])
  for (const { status: late } of await Promise.all(slow)) assert.equal(late, 200)
})

test('sessions that cannot be read return 503 with retry-after, never 500', async () => {
  await keeper.query('begin')
  await keeper.query('lock table access.sessions in access exclusive mode')
  const { status, json, headers } = await owner('/api/v1/keys')
  await keeper.query('rollback')
  assert.deepEqual([status, json.error.code, headers.get('retry-after')], [503, 'unavailable', '2'])
})
