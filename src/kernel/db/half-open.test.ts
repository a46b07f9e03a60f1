import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog, Secret } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { startExternalServer } from '#test/external-server'
import { startDatabaseProxy } from '#test/tcp-proxy'
import { waitFor } from '#test/wait'
import { isDatabaseDown, openDatabase, tryWithLock, withLock, withOwnLock } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })

async function behindProxy() {
  const target = await createTestDatabase()
  const proxy = await startDatabaseProxy()
  const database = openDatabase({ ...target, address: proxy.address }, log)
  test.after(() => (database.sessions.ending ? undefined : database.close()))
  return { database, proxy, direct: target }
}

test('a query on a half-open connection fails, and the next ones use new connections', async () => {
  const { database, proxy } = await behindProxy()
  const { pool, tables } = database.openPool({ max: 2, silentMs: 300 })
  const both = await Promise.all([pool.connect(), pool.connect()])
  for (const client of both) client.release()
  assert.equal(pool.totalCount, 2)
  proxy.freeze()
  await assert.rejects(sql`select 1`.execute(tables()), (error) => isDatabaseDown(error))
  // The other connection is as dead as the first, and is not tried.
  await waitFor('the pool to throw both away', () => pool.totalCount === 0)
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(tables())
  assert.deepEqual(rows, [{ one: 1 }])
})

test('a connection that is held without a query is not taken for a dead one', async () => {
  const { database } = await behindProxy()
  const { pool } = database.openPool({ max: 1, silentMs: 100 })
  const client = await pool.connect()
  await client.query('begin')
  const since = Date.now()
  await waitFor('more time than a query may take', () => Date.now() - since > 300)
  assert.equal((await client.query('select 1')).rowCount, 1)
  client.release()
})

test('a listener whose connection is half open notices, listens again and reports the gap', async () => {
  const { database, proxy, direct } = await behindProxy()
  const heard: string[] = []
  let gaps = 0
  await database.listener.on(
    'news',
    (payload) => heard.push(payload),
    () => gaps++,
  )
  await waitFor('a heartbeat', () => database.listener.lastHeartbeat())
  proxy.freeze()
  await waitFor('the gap', () => gaps === 1, 60_000)
  const other = openDatabase(direct, log)
  await other.pool.query(`notify news, 'after'`)
  await waitFor('the news', () => heard.includes('after'))
  await other.close()
})

test('work under a lock ends although the connection that holds the lock is half open', async () => {
  const { database, proxy } = await behindProxy()
  const done = await withLock(database.sessions, 'half open', async () => {
    proxy.freeze()
    return 'done'
  })
  assert.equal(done, 'done')
})

test('on half-open connections nobody waits for a lock that is only tried, and the database is closed', async () => {
  const { database, proxy } = await behindProxy()
  const { sessions } = database
  const both = await Promise.all([sessions.connect(), sessions.connect()])
  for (const client of both) client.release()
  proxy.freeze()
  await assert.rejects(tryWithLock(sessions, 'half open', () => assert.fail('it has no lock')))
  await database.close()
})

test('on a half-open connection nobody waits as long for a lock as for one that another holds', async () => {
  const { database, proxy } = await behindProxy()
  const { sessions } = database
  const client = await sessions.connect()
  client.release()
  proxy.freeze()
  const held = withLock(sessions, 'free', () => assert.fail('it has no lock'))
  await assert.rejects(held, (error) => isDatabaseDown(error))
  assert.equal(await withLock(sessions, 'free', async () => 'done'), 'done')
})

test('a lock that only a connection of ours can hold is not waited for long', async () => {
  const { database, proxy } = await behindProxy()
  const { sessions } = database
  await withOwnLock(sessions, 'own', async () => {
    proxy.freeze()
    // The server has not noticed yet, and keeps the lock.
    const again = withOwnLock(sessions, 'own', () => assert.fail('it has no lock'))
    await assert.rejects(again, (error) => isDatabaseDown(error))
  })
})

test('PostgreSQL notices within half a minute that a machine with locks or an open transaction is gone', async () => {
  const external = await startExternalServer()
  const url = new Secret(external.superuserUrl('postgres'))
  const database = openDatabase({ kind: 'external', url }, log)
  const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count']
  for (const pool of [database.sessions, database.pool]) {
    const shown = names.map((name) => pool.query<Record<string, string>>(`show ${name}`))
    const rows = (await Promise.all(shown)).map((result) => result.rows[0])
    assert.deepEqual(
      names.map((name, n) => Number(rows[n]?.[name])),
      [10, 5, 3],
    )
  }
  await database.close()
})
