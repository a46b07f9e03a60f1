import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSql } from '../testing-sql.ts'
import { everything, hidden, makeTables, setPolicy } from './testing-rules.ts'

const it = await startSql()
await makeTables(it)
const deny = ['secrets', 'vault.*', 'kept', 'events_closed', 'mixed']
await setPolicy(it, { ...everything, tables: { deny } })

/** Ways to a denied table, and the rule that stops each. */
const hostile: [string, string][] = [
  ['select * from secrets', 'table_not_allowed'],
  ['select * from SECRETS', 'table_not_allowed'],
  ['select * from public."secrets"', 'table_not_allowed'],
  ['select * from vault.keys', 'table_not_allowed'],
  ['select * from "Mixed"', 'table_not_allowed'],
  ['table secrets', 'table_not_allowed'],
  ['select 1 from users where exists (select from secrets)', 'table_not_allowed'],
  ['with s as (select * from secrets) select count(*) from s', 'table_not_allowed'],
  ['with secrets as (select * from secrets) select * from secrets', 'table_not_allowed'],
  ['select * from v_secrets', 'table_not_allowed'],
  ['select * from v_outer', 'table_not_allowed'],
  ['select * from m_secrets', 'table_not_allowed'],
  ['select peek()', 'table_not_allowed'],
  ['select peek_twice()', 'table_not_allowed'],
  ['select peek_hidden()', 'function_tables_unknown'],
  ['select ##@ 1', 'table_not_allowed'],
  ['select * from events', 'table_not_allowed'],
  ['select * from events_closed', 'table_not_allowed'],
  ['explain select * from secrets', 'table_not_allowed'],
  ['insert into secrets values (9)', 'table_not_allowed'],
  ['insert into users (id, name) select id, value from secrets', 'table_not_allowed'],
  ['update users set name = (select value from secrets) where id = 1', 'table_not_allowed'],
  ['delete from users using secrets where secrets.id = users.id', 'table_not_allowed'],
  ['merge into users u using secrets s on u.id = s.id when matched then delete', 'table_not_allowed'],
  ['delete from parents where id = 1', 'table_not_allowed'],
  ['truncate parents cascade', 'table_not_allowed'],
  ['update watched set note = $$y$$ where id = 1', 'table_not_allowed'],
  ['drop table secrets', 'table_not_allowed'],
  ['alter table secrets rename to plain', 'table_not_allowed'],
  ['alter table users inherit secrets', 'table_not_allowed'],
  ['create view mine as select * from secrets', 'table_not_allowed'],
  ['create table mine as select * from secrets', 'table_not_allowed'],
  ['create table mine (like secrets)', 'table_not_allowed'],
  ['create index on secrets (value)', 'table_not_allowed'],
  ['reindex table secrets', 'table_not_allowed'],
  ['analyze secrets', 'table_not_allowed'],
  [
    'create function f() returns text language sql stable as $$ select value from secrets $$',
    'table_not_allowed',
  ],
  ['do $$ begin perform value from secrets; end $$', 'table_not_allowed'],
  [`do $$ begin execute 'select * from ' || 'secrets'; end $$`, 'tables_unknown'],
  [
    `create function f() returns int language plpgsql as $$ begin execute 'x'; return 1; end $$`,
    'tables_unknown',
  ],
  // PostgreSQL has an operator of the same name. An error would quote the value before anybody looks at what was touched.
  ['select @@@ 1', 'table_not_allowed'],
  ['select most_common_vals from pg_stats', 'statistics'],
  ['select * from pg_catalog.pg_stats_ext', 'statistics'],
  ['alter schema vault rename to open', 'names_moved'],
  ['alter role current_user set search_path = vault', 'names_moved'],
]

for (const [sql, rule] of hostile)
  test(`a denied table is not reached: ${sql}`, async () => {
    const { status, json, text } = await it.execute(sql)
    assert.deepEqual([status, json.error?.code], [403, 'policy_violation'], text)
    assert.ok(!text.includes(hidden))
    const { json: explained } = await it.call('/api/v1/sql/explain-policy', {
      json: { database: 'application', sql },
    })
    assert.deepEqual([explained.decision, explained.rule], ['refuse', rule])
  })

/** A view of statistics. */
for (const sql of ['select * from v_stats'])
  test(`what no text shows is refused when it has run: ${sql}`, async () => {
    const { status, text } = await it.execute(sql)
    assert.equal(status, 403, text)
    assert.match(text, /table_touched/)
    assert.ok(!text.includes(hidden))
  })

test('a denied table is not dropped with its schema', async () => {
  await it.execute('create table mine (id int)')
  const [{ owner } = { owner: '' }] = await it.admin<{ owner: string }>(
    "select tableowner as owner from pg_tables where tablename = 'mine'",
  )
  await it.admin(`create schema attic; create table attic.secrets (id int primary key);
    alter schema attic owner to "${owner}"; alter table attic.secrets owner to "${owner}"`)
  const { status, text } = await it.execute('drop schema attic cascade')
  assert.equal(status, 403, text)
  assert.match(text, /table_touched/)
  assert.deepEqual(await it.admin('select count(*)::int as n from attic.secrets'), [{ n: 0 }])
  assert.equal((await it.execute('drop table mine')).status, 200)
})

test('tables that are not denied are used as before, also where a foreign key looks at a denied one', async () => {
  for (const sql of [
    'select count(*) from users',
    'select * from v_names',
    'select * from events_open',
    'insert into linked values (1, 1)',
    'insert into orders values (2, 2, $$second$$)',
    'update linked set parent_id = 2 where id = 1',
    'delete from orders where id = 2',
    'create table mine (id int primary key)',
    'drop table mine',
  ]) {
    const { status, text } = await it.execute(sql)
    assert.equal(status, 200, `${sql}: ${text}`)
  }
})

test('a migration is refused as a whole, and its checks too', async () => {
  const migrate = (json: object) =>
    it.call('/api/v1/sql/migrate', {
      json: { database: 'application', name: 'm', reason: 'a test', ...json },
    })
  const moved = await migrate({ statements: ['alter table secrets rename to plain', 'select * from plain'] })
  assert.equal(moved.status, 403, moved.text)
  const checked = await migrate({ sql: 'create table m1 (id int)', checks: ['select * from secrets'] })
  assert.equal(checked.status, 403, checked.text)
  assert.ok(!checked.text.includes(hidden))
})

test('with a list of allowed tables, everything else is refused, and partitions go with their table', async () => {
  await setPolicy(it, { tables: { allow: ['users', 'events', 'signalbox_*'] } })
  const statusOf = async (sql: string): Promise<number> => (await it.execute(sql)).status
  assert.equal(await statusOf('select id from users'), 200)
  assert.equal(await statusOf('select id from events'), 200)
  assert.equal(await statusOf('select 1 as one'), 200)
  assert.equal(await statusOf('select * from orders'), 403)
  assert.equal(await statusOf('select * from v_names'), 403)
  assert.equal(await statusOf('select id from "Users"'), 400)
  assert.equal(await statusOf('delete from users where id = 2'), 403)
  assert.equal(await statusOf('create table other (id int)'), 403)
  await setPolicy(it, { tables: { deny } })
})

test('max_rows of the policy caps what a call asks for', async () => {
  await setPolicy(it, { max_rows: 3 })
  const { json } = await it.execute('select generate_series(1, 9)', { max_rows: 5 })
  assert.deepEqual([json.row_count, json.truncated], [3, true])
})
