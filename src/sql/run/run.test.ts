import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '#test/wait'
import { startRunner } from './testing-runner.ts'

const it = await startRunner({ SQL_TIMEOUT_MS: '1500', SQL_POOL_SIZE: '3' })
await it.run('create table users (id int primary key, email text)')
await it.run(
  'create table orders (id int primary key, user_id int references users on delete cascade, amount numeric)',
)
await it.run(`insert into users select g, 'u' || g || '@x' from generate_series(1, 20) g`)
await it.run('insert into orders select g, g, g * 10 from generate_series(1, 20) g')

const read = { access: 'read' } as const

test('values come back as they are in the database, with their types', async () => {
  const { columns, rows } = await it.run(
    `select 1::int2 as small, 9007199254740993::int8 as big, 20::int8 as n, 12.50::numeric(10,2) as price,
      'NaN'::float8 as nan, 0.1::float8 as tenth, true as yes, null::text as nothing,
      '2026-03-29 01:30:00.123456+00'::timestamptz as at, '2026-03-29'::date as day, '\\xdead'::bytea as bytes,
      '{"a": 1.50, "b": [1, null]}'::jsonb as document, '{"id": 9007199254740993}'::json as exact,
      array[1, null, 3] as list, array[['a', 'b,"'], ['NULL', null]] as texts, '[0:1]={7,8}'::int[] as bounds,
      int4range(1, 5) as span, '1 day 02:00'::interval as pause, 1 as twice, 2 as twice`,
    read,
  )
  assert.deepEqual(rows[0], {
    small: 1,
    big: '9007199254740993',
    n: 20,
    price: '12.50',
    nan: 'NaN',
    tenth: 0.1,
    yes: true,
    nothing: null,
    at: '2026-03-29 01:30:00.123456+00',
    day: '2026-03-29',
    bytes: '\\xdead',
    document: { a: 1.5, b: [1, null] },
    exact: '{"id": 9007199254740993}',
    list: [1, null, 3],
    texts: [
      ['a', 'b,"'],
      ['NULL', null],
    ],
    bounds: '[0:1]={7,8}',
    span: '[1,5)',
    pause: '1 day 02:00:00',
    twice: 1,
    twice_2: 2,
  })
  assert.deepEqual(
    columns.slice(0, 4).map(({ type }) => type),
    ['smallint', 'bigint', 'bigint', 'numeric(10,2)'],
  )
})

test('parameters are values, never text of the statement', async () => {
  const { rows } = await it.run('select $1::text as a, $2::int as b, $3::jsonb as c', {
    ...read,
    params: ["'; drop table users; --", 7, JSON.stringify({ x: 1 })],
  })
  assert.deepEqual(rows, [{ a: "'; drop table users; --", b: 7, c: { x: 1 } }])
})

test('more rows than the cap are cut, and the result says so', async () => {
  const cut = await it.run('select * from generate_series(1, 100000) n', { ...read, maxRows: 10 })
  assert.equal(cut.rowCount, 10)
  assert.equal(cut.truncated, true)
  const whole = await it.run('select * from generate_series(1, 10) n', { ...read, maxRows: 10 })
  assert.equal(whole.truncated, false)
})

test('a write with more returned rows than the cap has run whole', async () => {
  const result = await it.run('insert into users select g from generate_series(100, 149) g returning id', {
    maxRows: 5,
  })
  assert.deepEqual([result.rowCount, result.rowsAffected, result.truncated], [5, 50, true])
  const removed = await it.run('delete from users where id >= 100')
  assert.equal(removed.rowsAffected, 50)
})

test('a result of gigabytes is cut at the byte cap', async () => {
  const result = await it.run(`select repeat('x', 100000) as wide from generate_series(1, 100000)`, {
    ...read,
    maxRows: 10_000,
  })
  assert.equal(result.truncated, true)
  assert.ok(result.rowCount < 200, `${result.rowCount} rows`)
})

test('one value that is too large is refused and nothing is held in memory', async () => {
  await assert.rejects(it.run(`select repeat('x', 35000000) as wide`, read), /larger than 32 MiB/)
  assert.equal((await it.run('select 1 as one', read)).rowCount, 1)
})

test('a second statement is refused by the protocol', async () => {
  await assert.rejects(it.run('select 1; delete from users'), /cannot insert multiple commands/i)
  await assert.rejects(it.run('commit; delete from users', read), /cannot insert multiple commands/i)
  assert.equal((await it.run('select count(*) as n from users', read)).rows[0]?.['n'], 20)
})

test('a reader cannot write, whatever the statement', async () => {
  for (const sql of [
    'delete from users',
    'create table x (a int)',
    'with gone as (delete from users returning 1) select * from gone',
    'explain analyze delete from users',
  ])
    await assert.rejects(it.run(sql, read), (error: { sqlstate?: string }) =>
      ['25006', '42501'].includes(error.sqlstate ?? ''),
    )
})

test('no setting, lock, prepared statement or temporary table of one call is there in the next', async () => {
  for (const sql of [
    `set statement_timeout = 0`,
    `set application_name = 'mine'`,
    'prepare p as select 1',
    'listen x',
    `declare c cursor with hold for select 1`,
  ])
    await it.run(sql).catch(() => undefined)
  for (let at = 0; at < 6; at++) {
    const { rows } = await it.run(
      `select current_setting('application_name') as name, current_setting('statement_timeout') as timeout,
        (select count(*) from pg_prepared_statements) as prepared, (select count(*) from pg_cursors where is_holdable) as cursors,
        (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
        (select count(*) from pg_listening_channels()) as channels`,
    )
    assert.deepEqual(rows[0], {
      name: 'signalbox sql a test',
      timeout: '1500ms',
      prepared: 0,
      cursors: 0,
      locks: 0,
      channels: 0,
    })
  }
})

test('a statement that takes too long is cancelled, also one that lifts its own timeout', async () => {
  const slow = 'select count(*) from generate_series(1, 100000000000) n'
  await assert.rejects(it.run(slow, read), { sqlstate: '57014' })
  const lifting = `with t as materialized (select set_config('statement_timeout', '0', true) as x) select count(*) from t, generate_series(1, 100000000000)`
  await assert.rejects(it.run(lifting), (error: Error) => /cancelled|permission denied/i.test(error.message))
})

test('a client that goes away cancels its statement', async () => {
  const leaving = new AbortController()
  const leftAlone = it.run('select count(*) from generate_series(1, 100000000000) n', {
    ...read,
    signal: leaving.signal,
  })
  leaving.abort(new Error('gone'))
  await assert.rejects(leftAlone, /gone/)
  const running = `select from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1000000000%' and pid <> pg_backend_pid()`
  await waitFor('the statement to end', async () => (await it.admin(running)).length === 0)
})

test('two hundred callers share the connections: the ceiling holds and everybody gets a result', async () => {
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, at) => it.run(`select ${at} as n, pg_backend_pid() as pid`, read)),
  )
  assert.deepEqual(
    results.map(({ rows }) => rows[0]?.['n']),
    Array.from({ length: 200 }, (_, at) => at),
  )
  assert.ok(new Set(results.map(({ rows }) => rows[0]?.['pid'])).size <= 3)
})

test('an error of the statement has its code and its place', async () => {
  await assert.rejects(it.run('select * from nowhere', read), { sqlstate: '42P01', position: 14 })
  await assert.rejects(it.run('select 1/0', read), { sqlstate: '22012' })
  await assert.rejects(it.run('select $1::int', read), { sqlstate: '08P01', status: 400 })
})

test('the trial run counts rows in every table, cascades too, and keeps nothing', async () => {
  const evidence = await it.preview('delete from users where id <= 5')
  assert.equal(evidence.skipped, null)
  assert.equal(evidence.rowsAffected, 5)
  assert.deepEqual(evidence.effect?.tables, [
    { schema: 'public', name: 'orders', inserted: 0, updated: 0, deleted: 5 },
    { schema: 'public', name: 'users', inserted: 0, updated: 0, deleted: 5 },
  ])
  assert.ok(
    evidence.locks.some(({ relation, mode }) => relation === 'public.users' && mode === 'RowExclusive'),
  )
  assert.ok(JSON.stringify(evidence.plan).includes('users'))
  assert.equal((await it.run('select count(*) as n from users', read)).rows[0]?.['n'], 20)
})

test('the trial run of a change of the schema names what goes, changes and is rewritten', async () => {
  const altered = await it.preview('alter table orders alter column amount type float8')
  assert.deepEqual(altered.rewritten.includes('public.orders'), true)
  assert.deepEqual(altered.effect?.altered, ['public.orders'])
  const dropped = await it.preview('drop table users cascade')
  assert.deepEqual(dropped.effect?.dropped, ['public.users', 'public.users_pkey'])
  assert.deepEqual(dropped.effect?.altered, ['public.orders'])
  assert.ok(
    dropped.locks.some(({ relation, mode }) => relation === 'public.users' && mode === 'AccessExclusive'),
  )
})

test('what fails in the trial run is said, not thrown', async () => {
  assert.match((await it.preview('update nowhere set a = 1')).skipped ?? '', /does not exist/)
})

test('an approved statement that would now change other rows is rolled back', async () => {
  const { effect } = await it.preview('delete from orders where amount > 150')
  assert.ok(effect)
  await it.run('insert into orders values (21, 1, 500)')
  await assert.rejects(it.run('delete from orders where amount > 150', { expect: effect }), {
    name: 'Error',
    message: /other rows/,
  })
  assert.equal((await it.run('select count(*) as n from orders', read)).rows[0]?.['n'], 21)
  await it.run('delete from orders where id = 21')
  const done = await it.run('delete from orders where amount > 150', { expect: effect })
  assert.equal(done.rowsAffected, 5)
})

test('in the platform’s own database a new record needs only what it means', async () => {
  const status = { database: 'status' }
  await it.run(`insert into services (name, title) values ('by-sql', 'By SQL')`, status)
  await it.run(`insert into deployments (service, version) values ('by-sql', '1')`, status)
  await it.run(`insert into tickets (title) values ('By SQL')`, status)
  for (const table of ['devlogs', 'learnings'])
    await it.run(`insert into ${table} (title) values ('By SQL')`, status)
  await it.run(`insert into skills (name) values ('by-sql')`, status)
  const written = await it.run(
    `select group_id, status as state from tickets where title = 'By SQL'
     union all select group_id, author_kind from devlogs where title = 'By SQL'`,
    { ...read, ...status },
  )
  assert.deepEqual(
    written.rows.map((row) => [row['group_id'], row['state']]),
    [
      [it.groupId, 'open'],
      [it.groupId, 'ai'],
    ],
  )
  await it.run(`update tickets set status = 'done', completed_at = now() where title = 'By SQL'`, status)
  await it.run(`delete from deployments where service = 'by-sql'`, status)
  await assert.rejects(
    it.run(
      `insert into tickets (title, group_id) values ('Elsewhere', '00000000-0000-4000-8000-000000000001')`,
      status,
    ),
    /row-level security/,
  )
})

test('in the platform’s own database agents write no record that the API could not show, or that concerns another group', async () => {
  const other = '00000000-0000-4000-8000-000000000002'
  await it.admin(`insert into access.groups (id, name) values ('${other}', 'Third')`, 'status')
  await it.admin(
    `insert into records.services (id, group_id, name, title) values ('${other}', '${other}', 'theirs', 'Theirs')`,
    'status',
  )
  const attempts: [statement: string, sqlstate: string][] = [
    [`insert into tickets (title, created_at) values ('x', 'infinity')`, '23514'],
    [`insert into deployments (service, started_at) values ('x', '-infinity')`, '23514'],
    [`insert into devlogs (title, created_at) values ('x', '20000-01-01')`, '23514'],
    [`insert into learnings (title, metadata) values ('x', '[]')`, '23514'],
    [`insert into skills (name, tags) values ('x', array[null])`, '23514'],
    [`insert into devlogs (title, tags) values ('x', '{{a},{b}}')`, '23514'],
    [
      `insert into maintenance_windows (service_id, starts_at, ends_at) values ('${other}', now(), now() + interval '1 day')`,
      '23503',
    ],
    [`insert into incidents (service_id, cause) values ('${other}', 'x')`, '23503'],
    [`insert into services (name, title, allow_private) values ('inside', 'Inside', true)`, '42501'],
    [`update services set allow_private = true`, '42501'],
    [`update services set group_id = '${other}'`, '42501'],
    [`create function records.f() returns int language sql return 1`, '42501'],
    [`create table records.t ()`, '42501'],
    [`create table public.t ()`, '42501'],
    [`create temporary table t ()`, '42501'],
    [`select analytics.mark('${other}', 'devlogs', now())`, '42501'],
    [`alter table records.tickets disable row level security`, '42501'],
    [`create trigger t after insert on records.tickets execute function records.group_of_role()`, '42501'],
    [`truncate records.tickets`, '42501'],
  ]
  for (const [statement, sqlstate] of attempts)
    await assert.rejects(it.run(statement, { database: 'status' }), { sqlstate }, statement)
})

test('in the platform’s own database agents see the records of the first group and nothing else', async () => {
  await it.admin(
    `insert into access.groups (id, name) values ('00000000-0000-4000-8000-000000000001', 'Other')`,
    'status',
  )
  await it
    .admin(
      `insert into records.skills (id, group_id, name, description, content) select gen_random_uuid(), id, 's', '', '' from access.groups`,
      'status',
    )
    .catch(() => undefined)
  const seen = await it.run('select distinct group_id from tickets union select group_id from services', {
    ...read,
    database: 'status',
  })
  assert.ok(seen.rows.every((row) => row['group_id'] === it.groupId))
  const reachable = await it.admin<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_roles r on r.rolname like current_database() || '_status_%'
      where n.nspname not in ('pg_catalog', 'information_schema', 'records') and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and has_schema_privilege(r.oid, n.oid, 'usage')
        and case when c.relkind = 'S' then has_sequence_privilege(r.oid, c.oid, 'usage')
          else has_table_privilege(r.oid, c.oid, 'select') or has_table_privilege(r.oid, c.oid, 'insert') end`,
    'status',
  )
  assert.deepEqual(reachable, [])
  for (const table of ['access.api_keys', 'vault.provider_keys', 'sql.logins', 'records.status_pages'])
    for (const access of ['read', 'write'] as const)
      await assert.rejects(
        it.run(`select * from ${table} limit 1`, { database: 'status', access }),
        { sqlstate: '42501' },
        table,
      )
})
