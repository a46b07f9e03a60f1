import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, createTestDatabase, databaseOf } from '../harness/database.ts'
import { startProduct } from '../harness/product.ts'
import { startDatabaseProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait.ts'

const target = await createTestDatabase()
const proxy = await startDatabaseProxy()
const direct = await startProduct({}, target)
const behind = await startProduct({}, { ...target, address: proxy.address })

const status = async (key: string): Promise<number> => (await behind.call('/api/v1/me', { key })).status

test('a revoked key is refused behind half-open connections, and the replica recovers', async () => {
  const { json: made } = await direct.call('/api/v1/keys', { json: { name: 'to revoke', scopes: ['read'] } })
  assert.equal(await status(made.key), 200)
  proxy.freeze()
  await direct.call(`/api/v1/keys/${made.id}`, { method: 'DELETE' })
  await waitFor('the key to be refused', async () => (await status(made.key)) === 401, 60_000)
  await waitFor('the replica to be ready', async () => (await behind.call('/readyz')).json.status === 'ready')
})

test('metrics show the heartbeat, and are served while the database is unavailable', async () => {
  const { json: made } = await direct.call('/api/v1/keys', { json: { name: 'scraper', scopes: ['read'] } })
  // Known to the server, but not as one that has read metrics.
  assert.equal(await status(made.key), 200)
  await administer(`alter database ${databaseOf({ target })} allow_connections false`)
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseOf({ target })}'`,
  )
  await waitFor('the outage', async () => (await behind.call('/readyz')).json.database === 'down')
  const { status: shown, text } = await behind.call('/metrics', { key: made.key })
  assert.equal(shown, 200)
  assert.match(text, /^signalbox_database_heartbeat_age_seconds \d/m)
  assert.match(text, /^signalbox_database_clock_ahead_seconds -?\d/m)
  await administer(`alter database ${databaseOf({ target })} allow_connections true`)
  await waitFor('the replica to be ready', async () => (await behind.call('/readyz')).json.status === 'ready')
})

test('a clock far from that of the database is a warning', async () => {
  const away = await createTestDatabase()
  // A function of the same name that comes first puts the clock of the database forward.
  await administer('create schema early', away.database)
  await administer(
    `create function early.clock_timestamp() returns timestamptz language sql
     as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`,
    away.database,
  )
  await administer(`alter database ${away.database} set search_path = early, pg_catalog`, away.database)
  const product = await startProduct({}, away)
  const { json } = await waitFor('the warning', async () => {
    const ready = await product.call('/readyz')
    return ready.json.problems && ready
  })
  assert.match(json.problems[0], /^the clock of this server is 3(599|600|601) s behind the database's/)
  assert.equal(json.status, 'degraded')
  assert.match(product.logged(), /"level":"warn".*the clock of this server is/)
})
