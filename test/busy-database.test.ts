import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { personWith } from './harness/people.ts'
import { startProduct } from './harness/product.ts'

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
  const slow = Array.from({ length: 24 }, () => viewer('/api/tickets'))
  // Far more than there are connections.
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

test('sessions that cannot be read return 503 with retry-after, never 500', async () => {
  await keeper.query('begin')
  await keeper.query('lock table access.sessions in access exclusive mode')
  const { status, json, headers } = await owner('/api/v1/keys')
  await keeper.query('rollback')
  assert.deepEqual([status, json.error.code, headers.get('retry-after')], [503, 'unavailable', '2'])
})
