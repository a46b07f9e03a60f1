import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { waitFor } from '#test/wait'
import { startSql } from '../src/sql/testing-sql.ts'

const it = await startSql()
const groupId = it.first.groupId
/** A statement of the agent on the platform's own database. */
const write = (sql: string) => it.execute(sql, { database: 'status' })
const list = async (path: string) => {
  const { status, json, text } = await it.call(path)
  assert.equal(status, 200, text)
  return json as { data: Record<string, unknown>[]; next_cursor: string | null }
}

const nested = (levels: number) => `('${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}')::jsonb`

test('a text, an array or a JSON that the API would refuse is refused when SQL writes it', async () => {
  const service = await it.call('/api/services', { json: { name: 'sized' } })
  assert.equal(service.status, 201, service.text)
  const limits: [columns: string, values: (n: number) => string, maximum: number][] = [
    ['tickets (title)', (n) => `repeat('x', ${n})`, 500],
    ['tickets (title, description)', (n) => `'t', repeat('é', ${n})`, 100_000],
    ['tickets (title, priority)', (n) => `'t', repeat('x', ${n})`, 40],
    ['tickets (title, url)', (n) => `'t', rpad('https://e.com/', ${n}, 'x')`, 2_000],
    ['devlogs (title, content)', (n) => `'t', repeat('x', ${n})`, 100_000],
    ['devlogs (title, tags)', (n) => `'t', array_fill('x'::text, array[${n}])`, 50],
    ['devlogs (title, tags)', (n) => `'t', array[repeat('x', ${n})]`, 100],
    ['devlogs (title, metadata)', (n) => `'t', ${nested(n)}`, 127],
    // {"a": "x…"} has 9 characters around the x.
    [
      'learnings (title, metadata)',
      (n) => `'t', jsonb_build_object('a', repeat('x', ${n}))`,
      131_072 - '{"a": ""}'.length,
    ],
    ['learnings (title, author)', (n) => `'t', repeat('x', ${n})`, 200],
    ['deployments (service)', (n) => `repeat('x', ${n})`, 100],
    ['deployments (service, version)', (n) => `'s', repeat('x', ${n})`, 200],
    ['incidents (service_id, cause)', (n) => `'${service.json.id}', repeat('x', ${n})`, 1_000],
    ['incidents (service_id, cause, note)', (n) => `'${service.json.id}', 'c', repeat('x', ${n})`, 10_000],
  ]
  for (const [into, values, maximum] of limits) {
    const fits = await write(`insert into ${into} values (${values(maximum)})`)
    assert.equal(fits.status, 200, `${into} of ${maximum}: ${fits.text.slice(0, 300)}`)
    const refused = await write(`insert into ${into} values (${values(maximum + 1)})`)
    assert.equal(
      refused.json.error?.sqlstate,
      '23514',
      `${into} of ${maximum + 1}: ${refused.text.slice(0, 300)}`,
    )
  }
})

test('every text, array and JSON that SQL may write has a limit in the database', async () => {
  const without = await it.admin<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'records'::regnamespace and c.relname <> 'signalbox_migrations'
       and a.attnum > 0 and not a.attisdropped
       and a.atttypid::regtype::text in ('text', 'text[]', 'jsonb')
       and exists (select from pg_roles r where r.rolname like current_database() || '_status_agent'
         and has_column_privilege(r.oid, c.oid, a.attnum, 'insert'))
       and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
         and k.conkey = array[a.attnum])`,
    'status',
  )
  assert.deepEqual(without, [])
})

test('an address that a browser would run is refused when SQL writes it', async () => {
  for (const sql of [
    `insert into tickets (title, url) values ('t', 'javascript:alert(1)')`,
    `insert into tickets (title, url) values ('t', ' javascript:alert(1)')`,
    `insert into deployments (service, url) values ('s', 'data:text/html,x')`,
    `update services set url = 'JavaScript:alert(1)'`,
  ])
    assert.equal((await write(sql)).json.error?.sqlstate, '23514', sql)
  assert.equal((await write(`insert into tickets (title, url) values ('t', 'HTTPS://e.com')`)).status, 200)
})

test('a page of a list ends before 8 MiB of text, and the pages together have every row once', async () => {
  // 40 devlogs of 300,000 bytes each (100,000 characters of three bytes): 27 of them are below 8,388,608 bytes.
  await it.admin(
    `insert into records.devlogs (group_id, title, content, log_type)
     select '${groupId}', 'large ' || n, repeat('€', 100000), 'large' from generate_series(1, 40) n`,
    'status',
  )
  const first = await list('/api/devlogs?log_type=large&limit=200')
  assert.equal(first.data.length, 27)
  const second = await list(`/api/devlogs?log_type=large&limit=200&cursor=${first.next_cursor}`)
  assert.deepEqual([second.data.length, second.next_cursor], [13, null])
  assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 40)
})

test('a row that cannot be shown does not hide the others', async () => {
  await it.admin(
    `alter table records.learnings drop constraint learnings_shown;
     insert into records.learnings (group_id, title, category, metadata, created_at) values
       ('${groupId}', 'before', 'odd', '{}', now()), ('${groupId}', 'a list', 'odd', '[]', now()),
       ('${groupId}', 'no time', 'odd', '{}', 'infinity'), ('${groupId}', 'after', 'odd', '{}', now())`,
    'status',
  )
  const { data } = await list('/api/learnings?category=odd')
  assert.deepEqual(data.map(({ title }) => String(title)).toSorted(), ['after', 'before'])
  assert.match(it.logged(), /a record cannot be shown/)
})

test('a change by SQL sets updated_at, whatever the statement says', async () => {
  await it.admin(
    `insert into records.tickets (group_id, title, updated_at) values ('${groupId}', 'old', '2020-01-01')`,
    'status',
  )
  const updated = async (title: string) => {
    const [row] = await it.admin<{ recent: boolean }>(
      `select updated_at > now() - interval '1 hour' and updated_at <= now() as recent
       from records.tickets where title = '${title}'`,
      'status',
    )
    return row?.recent
  }
  assert.equal(await updated('old'), false)
  await write(`update tickets set title = 'renamed' where title = 'old'`)
  assert.equal(await updated('renamed'), true)
  await write(`update tickets set title = 'again', updated_at = '2020-01-01' where title = 'renamed'`)
  assert.equal(await updated('again'), true)
  await write(`insert into tickets (title, updated_at) values ('back', '2020-01-01')`)
  assert.equal(await updated('back'), true)
})

test('an incident cannot name a deployment of another group', async () => {
  const other = '00000000-0000-4000-8000-0000000000aa'
  await it.admin(
    `insert into access.groups (id, name) values ('${other}', 'Other');
     insert into records.deployments (id, group_id, service) values ('${other}', '${other}', 'theirs')`,
    'status',
  )
  const service = await it.call('/api/services', { json: { name: 'ours' } })
  const insert = (deployment: string) =>
    write(
      `insert into incidents (service_id, cause, deployment_id) values ('${service.json.id}', 'x', '${deployment}')`,
    )
  assert.equal((await insert(other)).json.error?.sqlstate, '23503')
  const ours = await it.call('/api/deployments', { json: { service: 'ours' } })
  assert.equal((await insert(ours.json.id)).status, 200)
  assert.equal((await it.call(`/api/deployments/${ours.json.id}`, { method: 'DELETE' })).status, 204)
  const { data } = await list('/api/incidents?service=ours')
  assert.deepEqual(
    data.map(({ deployment_id }) => deployment_id),
    [null],
  )
})

test('a devlog, a ticket and a deployment that SQL writes are events, each once', async () => {
  await write(`insert into devlogs (title) values ('Shown in the console')`)
  await write(`update devlogs set tags = '{done}' where title = 'Shown in the console'`)
  await write(`insert into tickets (title) values ('Shown as well')`)
  await write(`insert into deployments (service, version) values ('shown', '7')`)
  const wanted = [
    'Deployment of shown 7 to production: started',
    'Devlog changed: Shown in the console',
    'Devlog created: Shown in the console',
    'Ticket created: Shown as well',
  ]
  const titles = async () => {
    const { data } = await list('/api/console/events?limit=1000')
    return data.map(({ title }) => String(title)).filter((title) => /shown/i.test(title))
  }
  await waitFor('the events', async () => (await titles()).length >= wanted.length)
  assert.deepEqual((await titles()).toSorted(), wanted)
  assert.deepEqual(await it.admin('select from records.unannounced', 'status'), [])
})

/** What the product asks meanwhile may lock the same tables in another order. */
const changeTables = (statements: string) =>
  waitFor('the locks of all tables', () =>
    it.admin(statements, 'status').then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== '40P01') throw error
      },
    ),
  )

test('rows that are too large when the limits come are shortened, and kept as they were', async () => {
  const asBefore = `drop table records.shortened;
     do $$ declare c record; begin
       for c in select conrelid::regclass as t, conname from pg_constraint where conname like '%_limit' loop
         execute format('alter table %s drop constraint %I', c.t, c.conname);
       end loop; end $$;
     alter table records.learnings add constraint learnings_shown check (true) not valid;
     alter table records.services drop constraint services_times, add constraint services_times check (true);
     insert into records.devlogs (group_id, title, content, tags, metadata) values
       ('${groupId}', 'oversize', repeat('x', 100001), array_fill('y'::text, array[60]), ${nested(5_000)});
     insert into records.services (group_id, name, title, url, next_check_at) values
       ('${groupId}', 'odd', 'Odd', 'javascript:alert(1)', 'infinity');`
  for (const change of [asBefore, readFileSync('migrations/0051_records_limits.sql', 'utf8')])
    await changeTables(change)
  const { data } = await list('/api/devlogs')
  const devlog = data.find(({ title }) => title === 'oversize')
  assert.ok(devlog)
  assert.deepEqual(
    [String(devlog['content']).length, (devlog['tags'] as string[]).length, devlog['metadata']],
    [100_000, 50, {}],
  )
  const services = await list('/api/services?name=odd')
  assert.deepEqual([services.data[0]?.['url'], services.data[0]?.['next_check_at']], [null, null])
  const kept = await it.admin<{ length: number }>(
    `select length(record ->> 'content') as length from records.shortened where table_name = 'devlogs'`,
    'status',
  )
  assert.ok(kept.some(({ length }) => length === 100_001))
})
