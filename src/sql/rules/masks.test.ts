import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSql } from '../testing-sql.ts'
import { everything, hidden, makeTables, setPolicy } from './testing-rules.ts'

const it = await startSql()
await makeTables(it)
await setPolicy(it, { ...everything, masked_columns: ['users.email', 'people.email'] })
const masksOf = (masked_columns: string[]) =>
  it.call('/api/v1/sql/databases/application', { method: 'PATCH', json: { masked_columns } })
assert.equal((await masksOf(['tag:pii'])).status, 200)

const rowsOf = async (sql: string, more: object = {}): Promise<unknown> => {
  const { status, json, text } = await it.execute(sql, more)
  assert.equal(status, 200, text)
  assert.ok(!text.includes(hidden), text)
  return json.rows
}

/** Queries that run: what they see of the masked column is the mask, whatever they do with it. */
const queries: [string, unknown][] = [
  ['select email from users where id = 1', [{ email: '•••' }]],
  ['select * from users where id = 1', [{ id: 1, name: 'Ann', email: '•••', age: 40 }]],
  ['select u.* from public.users u where u.id = 1', [{ id: 1, name: 'Ann', email: '•••', age: 40 }]],
  ['select upper("users"."email") as e from Users where id = 1', [{ e: '•••' }]],
  [`select count(*) as n from users where email like 'ann%'`, [{ n: 0 }]],
  [`select id from users where email = 'ann@hidden' || '.example'`, []],
  ['select count(distinct email) as n from users', [{ n: 1 }]],
  ['select max(email) as e, min(length(email)) as l from users', [{ e: '•••', l: 3 }]],
  ['select string_agg(md5(email), $$,$$) as e from users', [{ e: '5ac87c8b1a87c9ac8f4f8b6a7b1f2c05' }]],
  [
    'select row_to_json(u)::text as r from users u where id = 1',
    [{ r: '{"id":1,"name":"Ann","email":"•••","age":40}' }],
  ],
  ['select u::text as r from users u where id = 1', [{ r: '(1,Ann,•••,40)' }]],
  ['select (u).email as e from users u where id = 1', [{ e: '•••' }]],
  ['with users as (select * from users) select email as e from users where id = 1', [{ e: '•••' }]],
  ['select x.e from (select email as e, id from users) x where id = 1', [{ e: '•••' }]],
  ['select a, c from users u(a, b, c) where a = 1', [{ a: 1, c: '•••' }]],
  ['select count(*) as n from users natural join (select $$ann@hidden.example$$ as email) g', [{ n: 0 }]],
  ['select count(*) as n from users join contacts on user_email = email', [{ n: 2 }]],
  ['select user_email as e from contacts', [{ e: '•••' }]],
  [
    'select e from (values (1)) v(x) left join lateral (select email as e from users limit 1) u on true',
    [{ e: '•••' }],
  ],
  [
    'select email from users where id = 1 union all select iban from tagged',
    [{ email: '•••' }, { email: '•••' }],
  ],
  ['select start from tagged', [{ start: '•••' }]],
  ['select contact, start from notes', [{ contact: '•••', start: '•••' }]],
  ['select owner from badges', [{ owner: '•••' }]],
  ['select email from people order by id', [{ email: '•••' }, { email: '•••' }]],
  ['select email from staff', [{ email: '•••' }]],
  ['select * from v_names where id = 1', [{ id: 1, name: 'Ann' }]],
  ['select id from users order by email desc, id limit 1', [{ id: 1 }]],
  ['select 1 as one from users where id = 1 /* users */ -- users', [{ one: 1 }]],
]

for (const [sql, rows] of queries)
  test(`a query sees the mask: ${sql}`, async () => {
    const found = await rowsOf(sql)
    // PostgreSQL's own md5 of the mask; what counts is that it is not that of the value.
    if (sql.includes('md5')) assert.match(JSON.stringify(found), /"[0-9a-f]{32},[0-9a-f]{32}"/)
    else assert.deepEqual(found, rows)
  })

/** Statements that are refused, because they would reveal the value or write the mask in its place. */
const refused: [string, string][] = [
  ['select * from v_email', 'masked_view'],
  ['select * from v_email_outer', 'masked_view'],
  ['select * from v_row', 'masked_view'],
  ['select find_email(1)', 'masked_function'],
  ['select (1).find_email, (select count(*) from users)', 'masked_function'],
  ['select g.find_email, (select count(*) from users) from generate_series(1, 1) g', 'masked_function'],
  [
    "select ($$select to_tsvector('simple', email) from users$$::text).ts_stat, (select count(*) from users)",
    'function_forbidden',
  ],
  ['select 1 <-> 2, (select count(*) from users)', 'masked_function'],
  ['select (1 <-> 2)::int', 'masked_function'],
  ['select (1::label)::text, (select count(*) from users)', 'masked_function'],
  ['table users', 'mask_not_possible'],
  ['select email from only users', 'mask_not_possible'],
  ['select email from users tablesample system (100)', 'mask_not_possible'],
  ['select email from U&"users"', 'mask_not_possible'],
  ['select email from users for update', 'masked_column'],
  ['select u from users u for share', 'masked_column'],
  ['update users set name = email where id = 1', 'masked_column'],
  [`update users set age = 1 where email like 'a%'`, 'masked_column'],
  ['update users u set name = u::text where id = 1', 'masked_column'],
  ['update users set name = users::text where id = 1', 'masked_column'],
  ['update users u set name = to_jsonb(u)::text where id = 1', 'masked_column'],
  ['update users set age = 1 where id = 1 returning email', 'masked_column'],
  ['update users set age = 1 where id = 1 returning *', 'masked_column'],
  ['update users u set age = 1 where id = 1 returning u.row_to_json', 'masked_column'],
  ['update users set age = 1 where id = 1 returning old', 'masked_column'],
  ['update users set age = 1 where id = 1 returning new.email', 'masked_column'],
  ['update users set age = 1 where id = 1 returning with (old as o) o', 'masked_column'],
  [
    'update users set (name, age) = (select v.email, 1 from users v where v.id = 2) where id = 1',
    'masked_column',
  ],
  ['update orders set note = email from users where users.id = user_id', 'masked_column'],
  ['update orders set note = b from users u(a, n, b) where a = user_id', 'masked_column'],
  ['delete from users where email = $$x$$', 'masked_column'],
  ['delete from users where id = 9 returning *', 'masked_column'],
  ['insert into orders select id + 50, id, email from users', 'masked_column'],
  ['insert into orders (id, note) select 60, u::text from users u', 'masked_column'],
  ['insert into users (id, email) values (7, $$x$$) on conflict (email) do nothing', 'masked_column'],
  [
    'insert into users (id, email) values (7, $$x$$) on conflict on constraint users_email_key do nothing',
    'masked_column',
  ],
  ['insert into users (id) values (1) on conflict (id) do update set name = excluded.email', 'masked_column'],
  ['insert into users (id) values (8) returning *', 'masked_column'],
  ['merge into users u using orders o on u.email = o.note when matched then delete', 'masked_column'],
  ['with x as (select email from users) insert into orders select 70, 1, email from x', 'masked_column'],
  ['with gone as (delete from orders where id = 1 returning id) select email from users', 'masked_column'],
  ['create table copy as select * from users', 'masked_column'],
  ['create table copy as select email as e from users', 'masked_column'],
  ['select email into copy from users', 'masked_column'],
  ['create view mine as select id, name from users', 'masked_column'],
  ['create materialized view mine as select email from users', 'masked_column'],
  ['create function f() returns text language sql stable as $$ select email from users $$', 'masked_column'],
  ['create function f() returns trigger language plpgsql as $$ begin return new; end $$', 'masked_column'],
  ['create trigger t before update on users for each row execute function noted()', 'masked_column'],
  ['create rule r as on update to users do also select 1', 'masked_column'],
  ['create policy p on users using (email = current_user)', 'masked_column'],
  ['create index on users (lower(email))', 'masked_column'],
  ['create index on users (id) where email like $$a%$$', 'masked_column'],
  ['create statistics s on name, email from users', 'masked_column'],
  ['alter table users rename column email to plain', 'masked_column'],
  ['alter table users rename to plain', 'masked_column'],
  ['alter table users set schema vault', 'masked_column'],
  ['alter table users alter column email type int using email::int', 'masked_column'],
  ['alter table users alter name type text using email', 'masked_column'],
  ['alter table users add column copy text generated always as (email) stored', 'masked_column'],
  ['alter table users add check (email like $$a%$$)', 'masked_column'],
  ['alter table users inherit people', 'masked_column'],
  ['comment on column tagged.iban is null', 'masked_column'],
  // Without the key, nothing says that the column has the values of a masked one.
  ['alter table contacts drop constraint contacts_user_email_fkey', 'masked_column'],
  ['alter table users drop constraint users_email_key cascade', 'masked_column'],
  ['alter table letters drop column user_id', 'masked_column'],
  ['drop table users cascade', 'masked_column'],
  ['do $$ begin update users set name = email; end $$', 'masked_column'],
  ['do $$ declare r record; begin select * into r from users; end $$', 'masked_column'],
  ['explain update users set age = 1 where email like $$a%$$', 'masked_column'],
  ['select most_common_vals from pg_stats', 'statistics'],
  ['alter schema public rename to open', 'names_moved'],
  ['create publication p for table orders', 'rows_sent'],
  ['create publication p for all tables', 'rows_sent'],
  ['alter publication p add tables in schema public', 'rows_sent'],
]

for (const [sql, rule] of refused)
  test(`a masked column is not revealed: ${sql}`, async () => {
    const { status, text } = await it.execute(sql)
    assert.equal(status, 403, text)
    assert.ok(!text.includes(hidden))
    const { json: explained } = await it.call('/api/v1/sql/explain-policy', {
      json: { database: 'application', sql },
    })
    assert.deepEqual([explained.decision, explained.rule], ['refuse', rule], explained.message)
  })

test('a plan and a dry run do not know the value', async () => {
  const sql = `select id from users where email = '${hidden}'`
  const { json } = await it.execute(`explain (analyze, costs off, timing off, summary off) ${sql}`)
  assert.match(JSON.stringify(json.rows), /One-Time Filter: false/)
  const tried = await it.execute('select email from users', { dry_run: true })
  assert.deepEqual([tried.status, tried.json.preview.masked], [200, ['users.email']], tried.text)
})

test('masked columns are set, and the audit log has neither old nor new values', async () => {
  for (const sql of [
    `insert into users (id, name, email, age) values (5, 'Eve', 'eve@new.example', 5)`,
    `update users set email = 'eve@newer.example', age = age + 1 where id = 5 and name = 'Eve' returning id, age`,
    'delete from users where id = 5',
  ]) {
    const { status, text } = await it.execute(sql)
    assert.equal(status, 200, `${sql}: ${text}`)
  }
  const log = await it.call('/api/v1/sql/logs?limit=3')
  assert.ok(!log.text.includes('@new'), log.text)
  assert.deepEqual(
    log.json.data.map((each: { masked: string[] }) => each.masked),
    [['users.email'], ['users.email'], ['users.email']],
  )
  const exported = await it.call('/api/v1/sql/logs/export')
  assert.ok(!exported.text.includes('@new'))
  assert.equal((await it.call('/api/v1/sql/logs/chain')).json.problem, null)
})

test('a change is undone although its table has a masked column, and nothing of it is shown', async () => {
  const { json: done } = await it.execute('delete from users where id = 2')
  const offer = await it.call(`/api/v1/sql/logs/${done.audit_id}/undo`)
  assert.equal(offer.json.row_count, 1, offer.text)
  const undone = await it.call(`/api/v1/sql/logs/${done.audit_id}/undo`, { json: { reason: 'a mistake' } })
  assert.equal(undone.status, 200, undone.text)
  assert.ok(!undone.text.includes('bob@'))
  assert.deepEqual(await it.admin('select email from users where id = 2'), [{ email: 'bob@other.example' }])
})

test('the log has no constants of a masked column where somebody decides, nor where the policy refuses', async () => {
  const logs = async (): Promise<string> => (await it.call('/api/v1/sql/logs?limit=3')).text
  const sql = `insert into users (id, email, age) values (6, 'kim@new.example', 0x4711)`
  await setPolicy(it, { requires_approval: ['INSERT'] })
  for (const decision of ['approve', 'reject']) {
    const asked = await it.execute(sql)
    assert.equal(asked.status, 202, asked.text)
    const decided = await it.call(`/api/v1/sql/approvals/${asked.json.approval_id}/${decision}`, { json: {} })
    assert.equal(decided.status, 200, decided.text)
    assert.doesNotMatch(await logs(), /kim@|4711/)
  }
  await setPolicy(it, { requires_approval: [], allowed_operations: ['SELECT'] })
  const refused = await it.execute(sql)
  assert.match(refused.json.error.message, /operation_not_allowed/)
  assert.doesNotMatch(await logs(), /kim@|4711/)
  await setPolicy(it, everything)
})

test('an approval shows the mask that takes part, and no hash of whole rows', async () => {
  await setPolicy(it, { requires_approval: ['DELETE'] })
  const asked = await it.execute('delete from users where id = 2')
  assert.equal(asked.status, 202, asked.text)
  assert.deepEqual(asked.json.preview.masked, ['users.email'])
  assert.ok(!asked.json.preview.effect.rows?.some(({ table }: { table: string }) => table.includes('users')))
  await setPolicy(it, { requires_approval: [] })
})

test('checks of a migration see the mask', async () => {
  const { status, json, text } = await it.call('/api/v1/sql/migrate', {
    json: {
      database: 'application',
      name: 'with-check',
      reason: 'a test',
      sql: 'create table plain (id int)',
      checks: ['select email from users where id = 1'],
    },
  })
  assert.equal(status, 200, text)
  assert.ok(!text.includes(hidden))
  assert.deepEqual(json.checks[0].after, [{ email: '•••' }])
})

test('an error does not quote what a masked column has, and its place is that of the text that was sent', async () => {
  await it.admin(`create function angry() returns trigger language plpgsql as
    $$ begin raise exception 'not %', old.email; end $$;
    create trigger angry before update on users for each row when (new.age = 99) execute function angry()`)
  const loud = await it.execute('update users set age = 99 where id = 1')
  assert.deepEqual([loud.status, loud.json.error.sqlstate], [400, 'P0001'])
  assert.ok(!loud.text.includes(hidden), loud.text)
  const logged = await it.call('/api/v1/sql/logs?limit=1')
  assert.ok(!logged.text.includes(hidden))
  await it.admin(`create function angry_too() returns trigger language plpgsql as
    $$ begin raise exception 'not %', (select email from users where id = 1) using errcode = 'unique_violation'; end $$;
    create trigger angry_too before update on orders for each row execute function angry_too()`)
  const other = await it.execute('update orders set note = note where id = 1')
  assert.deepEqual([other.status, other.json.error.sqlstate], [400, '23505'])
  assert.ok(!other.text.includes(hidden), other.text)
  const sql = 'select u.email from users u where u.nothing = 1'
  const wrong = await it.execute(sql)
  assert.deepEqual([wrong.status, wrong.json.error.position], [400, sql.indexOf('u.nothing')])
})

test('masks of a database are for admins to set, and their patterns are checked', async () => {
  for (const [masked_columns, status] of [
    [['a.b.c.d'], 400],
    [['tag:'], 400],
    [['*.email', 'tag:pii'], 200],
  ] as const)
    assert.equal((await masksOf([...masked_columns])).status, status, masked_columns.join())
  const { json } = await it.call('/api/v1/sql/databases')
  const shown = json.data.find(({ name }: { name: string }) => name === 'application')
  assert.deepEqual(shown.masked_columns, ['*.email', 'tag:pii'])
})
