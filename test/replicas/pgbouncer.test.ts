import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { detectPooling } from '#kernel/db'
import { Secret } from '#kernel/log'
import { startCommands } from '../harness/commands.ts'
import { administer, createTestDatabase, databaseOf, testServer } from '../harness/database.ts'
import { pgBouncer, startPgBouncer } from '../harness/pgbouncer.ts'
import { runCommand, spawnProduct } from '../harness/process.ts'
import { temporaryFolder } from '../harness/product.ts'
import { startDatabaseProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait.ts'

const isHere = { skip: existsSync(pgBouncer) ? false : `${pgBouncer} is not installed` }

function directUrl(database: string): string {
  const { user, password, host, port } = testServer()
  return `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

test(
  'a pooler in transaction mode is refused without the address of the database itself',
  isHere,
  async () => {
    const target = await createTestDatabase()
    const pooled = await startPgBouncer('transaction', databaseOf({ target }))
    assert.equal(await detectPooling({ kind: 'external', url: new Secret(pooled) }), 'transaction')
    const refused = await runCommand(['serve'], {
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: pooled,
      PORT: '0',
      LOG_LEVEL: 'silent',
    })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^DATABASE_URL: a pooler in transaction mode .* set DATABASE_DIRECT_URL/)
  },
)

test(
  'with that address it works: start, revocation by another process, and doctor says how',
  isHere,
  async () => {
    const target = await createTestDatabase('template0')
    const environment = {
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: await startPgBouncer('transaction', databaseOf({ target })),
      DATABASE_DIRECT_URL: directUrl(databaseOf({ target })),
      PORT: '0',
    }
    const server = await spawnProduct(environment)
    const { json: made } = await server.call('/api/v1/keys', { json: { name: 'revoked', scopes: ['read'] } })
    const isRefused = async (): Promise<boolean> =>
      (await server.call('/api/v1/me', { key: made.key })).status === 401
    assert.equal(await isRefused(), false)
    const run = startCommands()
    assert.equal((await run(['keys', 'revoke', made.id], environment)).code, 0)
    await waitFor('the key to be refused', isRefused)
    const { stdout } = await run(['doctor'], environment)
    assert.match(
      stdout,
      /ok {4}database +external, behind a pooler in transaction mode \(.*DATABASE_DIRECT_URL\)/,
    )
    // A pooler whose database is dropped lets everybody wait.
    await server.end()
  },
)

test(
  'a revoked key is refused in 15 s while the connections behind the pooler are half open',
  isHere,
  async () => {
    const target = await createTestDatabase('template0')
    const { user, password } = testServer()
    const way = await startDatabaseProxy()
    const behind = { user, password, port: way.port }
    const database = databaseOf({ target })
    const server = await spawnProduct({
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: await startPgBouncer('transaction', database, behind),
      DATABASE_DIRECT_URL: `postgres://${user}:${password}@127.0.0.1:${way.port}/${database}`,
      // As long does the stop at the end wait for the dead connections.
      DATABASE_QUERY_TIMEOUT_MS: '10000',
      PORT: '0',
    })
    const { json: made } = await server.call('/api/v1/keys', { json: { name: 'revoked', scopes: ['read'] } })
    // The pooler keeps as many connections as were in use at once.
    const asked = Array.from({ length: 20 }, () => server.call('/api/v1/logs', { key: made.key }))
    for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
    way.freeze()
    await administer(`update access.api_keys set revoked_at = now() where id = '${made.id}'`, database)
    const revoked = Date.now()
    let last = 0
    await waitFor('the key to be refused', async () => {
      const asked = Date.now() - revoked
      const { status } = await server.call('/api/v1/me', { key: made.key })
      if (status === 200) last = asked
      return status === 401
    })
    assert.ok(last <= 15_000, `it worked for ${last} ms`)
    await server.end()
  },
)

test('a pooler in session mode needs nothing', isHere, async () => {
  const target = await createTestDatabase()
  const pooled = await startPgBouncer('session', databaseOf({ target }))
  assert.equal(await detectPooling({ kind: 'external', url: new Secret(pooled) }), 'session')
  assert.equal(
    await detectPooling({ kind: 'external', url: new Secret(directUrl(databaseOf({ target }))) }),
    'none',
  )
})
