import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSql } from '../testing-sql.ts'
import { everything, hidden, makeTables, setPolicy } from './testing-rules.ts'

const it = await startSql()
await makeTables(it)
await setPolicy(it, { ...everything, masked_columns: ['users.email', 'people.email'] })

const newest = async (): Promise<{ status: string; sql: string }> =>
  (await it.call('/api/v1/sql/logs?limit=1')).json.data[0]

test('the log has no constants of a masked column, however the statement quotes them', async () => {
  await it.admin(`create table "o'brien" (id int, email text); grant all on "o'brien" to public`)
  await setPolicy(it, { allowed_operations: ['SELECT'], masked_columns: ['users.email', "o'brien.email"] })
  for (const [sql, logged] of [
    [
      `-- don't forget\nupdate users set email = 'kim@new.example' where id = 1`,
      `/*…*/\nupdate users set email = '…' where id = …`,
    ],
    [`update users set name = 'x\\', email = 'kim@new.example'`, `update users set name = '…', email = '…'`],
    [
      `update users set name = E'it''s \\' kim@new.example', email = E'a'\n'\\'kim@new.example'`,
      `update users set name = E'…', email = E'…'`,
    ],
    [`update "o'brien" set email = 'kim@new.example'`, `update "o'brien" set email = '…'`],
    [`update users set email = $é$kim@new.example$é$`, `update users set email = '…'`],
    [
      `update users a$b$ set email = 'b$b$ kim@new.example' where a$b$.id = 7`,
      `update users a$b$ set email = '…' where a$b$.id = …`,
    ],
  ] as const) {
    const { json } = await it.execute(sql)
    assert.match(json.error.message, /operation_not_allowed/, sql)
    assert.equal((await newest()).sql, logged)
  }
  await setPolicy(it, { ...everything, masked_columns: ['users.email', 'people.email'] })
})

test('the log has no constants of a masked column where a view leads to it', async () => {
  const { json } = await it.execute(`update v_email set contact = 'kim@new.example' where id = 1`)
  assert.match(json.error.message, /masked_view/)
  assert.equal((await newest()).sql, `update v_email set contact = '…' where id = …`)
})

test('the log keeps constants where the rules found nothing masked', async () => {
  const sql = `update watched set note = 'as it was' where id = 7`
  assert.equal((await it.execute(sql)).status, 200)
  assert.equal((await newest()).sql, sql)
})

test('the log has no constants where the database cannot say whether a masked column is set', async () => {
  const [{ name } = { name: '' }] = await it.admin<{ name: string }>('select current_database() as name')
  await it.admin(`alter database "${name}" with allow_connections false`, 'status')
  await it.admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`, 'status')
  const { status } = await it.execute(`update users set email = 'kim@new.example' where id = 1`)
  await it.admin(`alter database "${name}" with allow_connections true`, 'status')
  assert.equal(status, 503)
  assert.deepEqual(
    [(await newest()).status, (await newest()).sql],
    ['failed', `update users set email = '…' where id = …`],
  )
})

test('a migration that fails is kept without what a masked column has, and so are its checks', async () => {
  await it.admin(`
    create function angry() returns trigger language plpgsql as $$ begin raise exception 'not %', old.email; end $$;
    create trigger angry before update on users for each row when (new.age = 99) execute function angry();
    create type sealed as (name text);
    create function sealed_of(int) returns sealed language plpgsql as
      $$ declare found text; begin execute 'select email from users where id = 1' into found;
        raise exception 'not %', found; end $$;
    create cast (int as sealed) with function sealed_of(int)`)
  await setPolicy(it, { allowed_functions: [...everything.allowed_functions, 'sealed_of'] })
  const migrate = (name: string, sql: string, checks: string[] = []) =>
    it.call('/api/v1/sql/migrate', {
      json: { database: 'application', name, reason: 'a test', sql, checks },
    })
  const failed = await migrate('fails', 'update users set age = 99 where id = 1')
  assert.deepEqual([failed.status, failed.json.error.sqlstate], [400, 'P0001'])
  const { json: list } = await it.call('/api/v1/sql/migrations')
  const { json: kept, text } = await it.call(`/api/v1/sql/migrations/${list.data[0].id}`)
  assert.deepEqual([kept.name, kept.state], ['fails', 'failed'])
  assert.match(kept.error, /^PostgreSQL refused it with P0001\. Its message may quote masked columns/)
  assert.ok(!text.includes(hidden), text)
  const checked = await migrate('checks', 'create table plain (id int)', ['select (1::sealed)::text as one'])
  assert.equal(checked.status, 200, checked.text)
  assert.ok(!checked.text.includes(hidden), checked.text)
  assert.equal(checked.json.checks[0].after.sqlstate, 'P0001')
})

test('columns that hold rows of a view, or ranges of rows, have the masks of the columns behind them', async () => {
  await it.admin(`
    create table views_kept (id int, was v_email, outer_was v_email[], row_was v_row);
    insert into views_kept select 1, v, array[v], null from v_email v where id = 1;
    update views_kept set row_was = (select r from v_row r limit 1);
    create type span as range (subtype = people);
    create table spans (id int, at span);
    insert into spans select 1, span(p, p, '[]') from people p where id = 1;
    grant all on views_kept, spans to public`)
  for (const sql of [
    'select (was).contact as e from views_kept',
    'select (outer_was[1]).contact as e from views_kept',
    'select (row_was).everything::text as e from views_kept',
    'select was::text as e from views_kept',
    'select (lower(at)).email as e from spans',
    'select at::text as e from spans',
    'select range_agg(at)::text as e from spans',
  ]) {
    const { status, text } = await it.execute(sql)
    assert.ok(!text.includes(hidden), `${sql}: ${status} ${text}`)
  }
})
