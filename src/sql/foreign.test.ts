import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { administer, testServer } from '#test/database'
import { startSql } from './testing-sql.ts'

/** Somebody else's database, whose address logs in as an ordinary owner of tables: PUBLIC has all its rights. */
const name = `shop_${randomUUID().replaceAll('-', '')}`
const { host, port } = testServer()
await administer(`create role ${name} login password 'secret'`)
await administer(`create database ${name} owner ${name}`)
const owner = new pg.Client({ ...testServer(), database: name, user: name, password: 'secret' })
await owner.connect()
await owner.query(`
  create table orders (id int primary key);
  insert into orders select g from generate_series(1, 3) g;
  create view settings as select * from pg_settings;
  create table signalbox_migrations (name text primary key, sha256 text not null,
    applied_at timestamptz(3) not null default now(), applied_by text not null)`)
after(async () => {
  await owner.end()
  await administer(`drop database ${name} with (force)`)
  await administer(`drop role ${name}`)
})

const address = (user: string): string =>
  `postgresql://${user}:secret@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
const it = await startSql({
  DATABASES: JSON.stringify({ shop: address(name), lost: address('nobody_of_this_name') }),
})
const policy = {
  allowed_databases: ['shop', 'lost'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DO', 'CREATE'],
  requires_approval: ['DELETE'],
  environment: 'dev',
}
await it.call('/api/agents', { json: { id: 'shop', name: 'shop', model: 'm', config: { policy } } })
const shop = { database: 'shop', agent_id: 'shop', reason: 'a test' }

const migrate = (migration: string, statements: string[]) =>
  it.call('/api/v1/sql/migrate', { json: { ...shop, name: migration, statements } })
const orders = async (): Promise<number> =>
  (await owner.query<{ n: number }>('select count(*)::int as n from orders')).rows[0]?.n ?? 0

/** Read with standard_conforming_strings = off, the DELETE is no longer inside a string. */
const disguised = String.raw`with a as (select '\', ' as x), b as (delete from orders returning 1) select 1 -- ') select 1`

test('a migration cannot change how the server reads the next statement', async () => {
  for (const [at, write] of [
    `update pg_settings set setting = 'off' where name = 'standard_conforming_strings'`,
    `update pg_catalog.pg_settings set setting = 'off' where name = 'standard_conforming_strings'`,
    `update settings set setting = 'off' where name = 'standard_conforming_strings'`,
  ].entries()) {
    const answer = await migrate(`quotes-${at}`, [write, disguised])
    assert.equal(answer.status, 403, answer.text)
    assert.match(answer.json.error.message, /catalog_write|rule_target|hidden_function/)
  }
  assert.equal(await orders(), 3)
})

test('a statement that changes how texts are read, by a way that nobody saw, is rolled back', async () => {
  // The view is made in the same migration, so that the facts of the database do not have it.
  const answer = await migrate('quotes-by-new-view', [
    'create view fresh as select * from pg_settings',
    `update fresh set setting = 'off' where name = 'standard_conforming_strings'`,
    disguised,
  ])
  assert.equal(answer.status, 403, answer.text)
  assert.match(answer.json.error.message, /changed settings of its session \(standard_conforming_strings\)/)
  assert.equal(await orders(), 3)

  const hidden = `do $$ begin execute 'set local search_path = pg_catalog'; end $$`
  const asked = await it.execute(hidden, shop)
  assert.equal(asked.status, 202, asked.text)
  const { approval_id } = asked.json
  await it.call(`/api/v1/sql/approvals/${approval_id}/approve`, { json: {} })
  const ran = await it.execute(hidden, { ...shop, approval_id })
  assert.equal(ran.status, 403, ran.text)
  assert.match(ran.json.error.message, /search_path/)
})

test('the list of migrations is written by migrations only', async () => {
  const answer = await it.execute(`insert into signalbox_migrations values ('x', 'y', now(), 'z')`, shop)
  assert.equal(answer.status, 403, answer.text)
  assert.match(answer.json.error.message, /migration_list/)
  const done = await migrate('a-column', ['create table parts (id int)'])
  assert.equal(done.status, 200, done.text)
})

test('a database that does not accept its login says so', async () => {
  for (const access of ['select 1', 'insert into orders values (4)']) {
    const answer = await it.execute(access, { ...shop, database: 'lost' })
    assert.equal(answer.status, 503, answer.text)
    assert.match(answer.json.error.message, /database lost .*login/)
  }
})
