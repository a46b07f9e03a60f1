import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { Secret, createLog } from '#kernel/log'
import { administer, createTestDatabase, testServer } from '#test/database'
import { waitFor } from '#test/wait'
import { awaitDatabase, migrate, migrationNames, migrationState, openDatabase } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })

async function emptyDatabase() {
  return createTestDatabase('template0')
}

test('replicas that start together run each migration once', async () => {
  const target = await emptyDatabase()
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(target)))
  assert.deepEqual(runs.flat().toSorted(), migrationNames())
  assert.deepEqual(await migrationState(target), {
    applied: migrationNames(),
    pending: [],
    unknown: [],
    breaking: [],
  })
})

test('a database without what the code needs refuses to start and says so', async () => {
  const target = await createTestDatabase()
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  await client.query(
    `insert into kernel.migration (name, timestamp, contracts) values ('9999_from_the_future', now()::text, true)`,
  )
  await client.end()
  await assert.rejects(migrate(target), {
    name: 'StartFault',
    message:
      'The database was written by a newer Signalbox (it has 9999_from_the_future). Start that version, or restore a backup made by this one.',
  })
})

test('a database that cannot be reached is waited for, then named in one line without its password', async () => {
  const url = new Secret('postgres://me:planted-password@127.0.0.1:1/status')
  const started = Date.now()
  await assert.rejects(awaitDatabase({ kind: 'external', url }, 1_200), (error: Error) => {
    assert.match(
      error.message,
      /^DATABASE_URL: cannot connect to the database \(.*ECONNREFUSED.*\)\. Check that it is running/,
    )
    assert.doesNotMatch(error.message, /planted/)
    return true
  })
  assert.ok(Date.now() - started >= 600, 'it tried again before it gave up')
})

test('a wrong password is final and not tried for 30 seconds', async () => {
  const target = await createTestDatabase()
  const started = Date.now()
  await assert.rejects(
    awaitDatabase({ ...target, address: { ...target.address, password: 'wrong' } }),
    /password authentication failed/,
  )
  assert.ok(Date.now() - started < 10_000)
})

test('a PostgreSQL older than 15 is refused with its version', async () => {
  const target = await createTestDatabase()
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  // A function of the same name that comes first makes this server say that it is an old one.
  await client.query(`create schema old`)
  await client.query(
    `create function old.current_setting(text) returns text language sql as $$ select '140005' $$`,
  )
  await client.query(`alter database ${target.database} set search_path = old, pg_catalog`)
  await client.end()
  await assert.rejects(awaitDatabase(target), {
    name: 'StartFault',
    message:
      'DATABASE_URL: this is PostgreSQL 14; Signalbox needs 15 or newer. Upgrade it, or unset DATABASE_URL for the embedded one.',
  })
})

test('queries heal by themselves after every connection was cut', async () => {
  const target = await createTestDatabase()
  const database = openDatabase(target, log)
  await database.pool.query('select 1')
  await cutConnections(target.database)
  // The first may still meet the connection that was cut.
  const ask = () => database.pool.query('select 1 as one').catch(() => undefined)
  assert.deepEqual((await waitFor('a new connection', ask)).rows, [{ one: 1 }])
  await database.close()
})

test('notifications continue after the connection was cut, and the gap is reported', async () => {
  const target = await createTestDatabase()
  const database = openDatabase(target, log)
  const heard: string[] = []
  let gaps = 0
  await database.listener.on(
    'news',
    (payload) => heard.push(payload),
    () => gaps++,
  )
  await database.pool.query(`notify news, 'first'`)
  await waitFor('the first', () => heard.length === 1)
  await cutConnections(target.database)
  await waitFor('the gap', () => gaps === 1)
  await database.pool.query(`notify news, 'second'`).catch(() => database.pool.query(`notify news, 'second'`))
  await waitFor('the second', () => heard.length === 2)
  assert.deepEqual(heard, ['first', 'second'])
  await database.close()
})

test('work that a notification begins and that fails is tried again until it succeeds', async () => {
  const target = await createTestDatabase()
  const database = openDatabase(target, log)
  const results = ['failed', 'failed', 'done', 'done']
  const seen: (string | undefined)[] = []
  await database.listener.on('news', async () => {
    const result = results[seen.length]
    seen.push(result)
    if (result === 'failed') throw new Error('the database is busy')
  })
  await database.pool.query('notify news')
  await waitFor('the third try', () => seen.length === 3)
  await database.pool.query('notify news')
  await waitFor('the next news', () => seen.length === 4)
  assert.deepEqual(seen, results)
  await database.close()
})

async function cutConnections(database: string): Promise<void> {
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`,
  )
}

test(
  'the server answers on a unix socket only',
  { skip: process.platform === 'win32' && 'Windows has loopback with a password' },
  async () => {
    const client = new pg.Client({ ...testServer(), database: 'postgres' })
    await client.connect()
    const { rows } = await client.query<{ listen_addresses: string }>('show listen_addresses')
    assert.equal(rows[0]?.listen_addresses, '')
    await client.end()
  },
)
