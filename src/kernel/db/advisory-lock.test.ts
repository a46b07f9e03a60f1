import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createLog } from '#kernel/log'
import { administer, createTestDatabase } from '#test/database'
import { inTransaction, lockUntilCommit, openDatabase, tryWithLock, withLock } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const target = await createTestDatabase()
// Two processes on one database.
const [one, other] = [openDatabase(target, log), openDatabase(target, log)]
test.after(() => Promise.all([one.close(), other.close()]))

/** Resolves once this many connections wait for a lock. */
async function waiting(count: number): Promise<void> {
  const text = `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
                where d.datname = current_database() and locktype = 'advisory' and not granted`
  for (;;) {
    const { rows } = await one.pool.query<{ n: number }>(text)
    if (rows[0]?.n === count) return
  }
}

test('work under one lock runs one after the other, across processes and kinds of holders', async () => {
  const steps: string[] = []
  const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
  const work = (name: string) => async (): Promise<void> => {
    steps.push(`${name} begins`)
    if (name === 'first') await isHeld
    steps.push(`${name} ends`)
  }
  const first = withLock(one.sessions, 'test order', work('first'))
  while (steps.length === 0) await one.pool.query('select 1')
  const second = withLock(other.sessions, 'test order', work('second'))
  await waiting(1)
  const third = inTransaction(other.pool, async (client) => {
    await lockUntilCommit(client, 'test order')
    await work('third')()
  })
  await waiting(2)
  const fourth = one
    .tables()
    .transaction()
    .execute(async (transaction) => {
      await lockUntilCommit(transaction, 'test order')
      await work('fourth')()
    })
  await waiting(3)
  assert.deepEqual(steps, ['first begins'])
  letGo()
  await Promise.all([first, second, third, fourth])
  assert.deepEqual(
    steps,
    ['first', 'second', 'third', 'fourth'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
})

test('locks of different names do not wait for each other', async () => {
  await withLock(one.sessions, 'test a', () => withLock(other.sessions, 'test b', async () => undefined))
})

test('work that another process does is left to it, and can be taken afterwards', async () => {
  const nothing = async (): Promise<void> => undefined
  await withLock(one.sessions, 'test try', async () => {
    assert.equal(await tryWithLock(other.sessions, 'test try', () => assert.fail('it ran')), false)
  })
  assert.equal(await tryWithLock(other.sessions, 'test try', nothing), true)
  assert.equal(await tryWithLock(one.sessions, 'test try', nothing), true, 'it was released')
})

test('work that fails releases the lock and passes its error on', async () => {
  const fail = async (): Promise<void> => {
    throw new Error('no good')
  }
  await assert.rejects(withLock(one.sessions, 'test fail', fail), { message: 'no good' })
  await assert.rejects(tryWithLock(one.sessions, 'test fail', fail), { message: 'no good' })
  assert.equal(await tryWithLock(other.sessions, 'test fail', async () => undefined), true)
})

test('a holder whose connection is lost gives the lock back, and its pool stays usable', async () => {
  await withLock(one.sessions, 'test lost', async () => {
    await administer(
      `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = '${target.database}' and locktype = 'advisory' and granted`,
    )
    await withLock(other.sessions, 'test lost', async () => undefined)
  })
  const { rows } = await one.pool.query<{ n: number }>('select 1 as n')
  assert.equal(rows[0]?.n, 1)
})

test('a transaction is committed whole or not at all', async () => {
  await one.pool.query('create table public.things (name text unique)')
  const names = async (): Promise<string[]> => {
    const { rows } = await other.pool.query<{ name: string }>('select name from public.things order by 1')
    return rows.map(({ name }) => name)
  }
  const insert = (client: pg.ClientBase, name: string) =>
    client.query('insert into public.things values ($1)', [name])
  const result = await inTransaction(one.pool, async (client) => {
    await insert(client, 'a')
    await insert(client, 'b')
    return 'both'
  })
  assert.equal(result, 'both')
  const twice = inTransaction(one.pool, async (client) => {
    await insert(client, 'c')
    await insert(client, 'a')
  })
  await assert.rejects(twice, { code: '23505' })
  assert.deepEqual(await names(), ['a', 'b'])
  // Every connection can be used again: none is left inside a transaction.
  await Promise.all(Array.from({ length: 10 }, (_, n) => insert(one.pool as never, `after ${n}`)))
  assert.equal((await names()).length, 12)
})
