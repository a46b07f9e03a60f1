import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommands } from '#test/commands'
import { databaseOf, testServer } from '#test/database'
import { startExternalServer } from '#test/external-server'
import { keyWith, personWith } from '#test/people'
import { testMasterKey } from '#test/product'
import { waitFor } from '#test/wait'
import { startSql } from '../../src/sql/testing-sql.ts'

const server = await startExternalServer()
await server.ask(
  'postgres',
  `create role dba login createrole password 'pw-dba'; create role plain login password 'pw-plain';
   create role stranger login password 'pw-stranger'; create role nobody login password 'pw-nobody'`,
)
const it = await startSql()
const signalbox = startCommands()
const list = '/api/v1/sql/databases'
let made = 0

/** A database of the owner, with a table; returns its addresses. */
async function newDatabase(owner = 'dba'): Promise<{ database: string; url: string }> {
  const database = `db${(made += 1)}`
  await server.ask('postgres', `create database ${database} owner ${owner}`)
  const url = server.urlOf(owner, `pw-${owner}`, database)
  await server.ask(url, 'create table orders (id int primary key); insert into orders values (1), (2)')
  return { database, url }
}

/** Roles, their members, and the owners and rights of everything in it. */
const stateOf = (database: string) =>
  server.ask(
    database,
    `select (select string_agg(rolname, ' ' order by rolname) from pg_roles) as roles,
      (select string_agg(roleid::regrole || '<' || member::regrole, ' ' order by 1) from (select distinct roleid, member from pg_auth_members) m) as members,
      (select string_agg(concat_ws('|', relname, relowner::regrole, relacl::text), ' ' order by relname) from pg_class where relnamespace = 'public'::regnamespace) as relations,
      (select nspacl::text from pg_namespace where nspname = 'public') as schema, (select string_agg(defaclacl::text, ' ') from pg_default_acl) as defaults,
      (select datacl::text from pg_database where datname = current_database()) as acl`,
  )

async function add(name: string, url: string, more: object = {}) {
  const added = await it.call(list, { json: { name, url, ...more } })
  assert.equal(added.status, 201, added.text)
  return added.json
}
const execute = (database: string, sql: string, more: object = {}) =>
  it.execute(sql, { database, agent_id: 'free', ...more })
const tryNow = async (name: string) => (await it.call(`${list}/${name}/test`, { method: 'POST' })).json

const policy = {
  allowed_databases: ['asis', 'plain', 'failing', 'printed', 'shop', 'prod', 'mixed', 'sales'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER TABLE', 'DROP'],
  requires_approval: [],
  environment: 'dev',
}
await it.call('/api/agents', { json: { id: 'free', name: 'free', model: 'm', config: { policy } } })

test('an address is sealed: no response, event, log line or table shows its password', async () => {
  const { url } = await newDatabase('plain')
  const added = await add('asis', url)
  assert.deepEqual(
    [added.host, added.port, added.database, added.login, added.source, added.environment],
    ['127.0.0.1', server.port, 'db1', 'plain', 'group', 'dev'],
  )
  const { text } = await it.call(list)
  assert.doesNotMatch(text + added + it.logged(), /pw-plain/)
  const stored = await it.admin(`select to_jsonb(d)::text as row from sql.databases d`, 'status')
  assert.doesNotMatch(JSON.stringify(stored), /pw-plain/)
})

test('an owner who may not create roles is used as it is: read, write, migrate and undo', async () => {
  const ok = { ok: true, reason: null }
  assert.deepEqual((await tryNow('asis')).available, { read: ok, write: ok, migrate: ok, undo: ok })
  const { json } = await it.call('/api/v1/sql/migrate', {
    json: {
      database: 'asis',
      agent_id: 'free',
      name: 'm',
      statements: ['alter table orders add note text'],
      reason: 'x',
    },
  })
  assert.equal(json.status, 'executed', JSON.stringify(json))
})

test('a login without rights says what is not available, and a migration says what to do', async () => {
  await server.ask('db1', 'grant select on orders to nobody')
  await add('plain', server.urlOf('nobody', 'pw-nobody', 'db1'))
  const { available } = await tryNow('plain')
  assert.equal(available.read.ok, true)
  assert.match(
    available.write.reason,
    /may not change any table in public. Run: npx signalbox sql setup plain/,
  )
  assert.equal(available.migrate.ok || available.undo.ok, false)
  const { status, json } = await it.call('/api/v1/sql/migrate', {
    json: {
      database: 'plain',
      agent_id: 'free',
      name: 'm',
      statements: ['create table x (id int)'],
      reason: 'x',
    },
  })
  assert.equal(status, 400, JSON.stringify(json))
})

test('a set-up that fails leaves the database and the login as they were', async () => {
  const { database, url } = await newDatabase('dba')
  await server.ask(database, 'grant create on schema public to stranger')
  await server.ask(server.urlOf('stranger', 'pw-stranger', database), 'create table secrets (id int)')
  // From version 16 on an administrator has only the roles that were given; before, all but superusers.
  if (server.version < 16) await server.ask(database, 'alter table secrets owner to superuser')
  await add('failing', url)
  const before = await stateOf(database)
  const { status, json } = await it.call(`${list}/failing/setup`, { json: {} })
  assert.equal(status, 409, JSON.stringify(json))
  assert.match(
    json.error.message,
    /nothing was changed: The table public.secrets belongs to the role (stranger|superuser), whose rights the login dba does not have/,
  )
  assert.deepEqual(await stateOf(database), before)
  const refused = await it.call(`${list}/failing/setup`, {
    json: { url: server.urlOf('nobody', 'pw-nobody', database) },
  })
  assert.match(refused.json.error.message, /may not create roles. Use one that has CREATEROLE/)
  assert.deepEqual(await stateOf(database), before)
  assert.equal((await tryNow('failing')).is_set_up, false)
})

test('a printed script changes nothing until it has been run, and then it counts', async () => {
  const { database, url } = await newDatabase('plain')
  await add('printed', url)
  const { text, headers } = await it.call(`${list}/printed/setup`)
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  const works = await execute('printed', 'insert into orders values (3)')
  assert.equal(works.status, 200, works.text)
  assert.equal((await tryNow('printed')).is_set_up, false)
  assert.equal((await it.call(`${list}/printed/setup`)).text.match(/SCRAM-SHA-256/g)?.length, 2)
  await server.ask(database, text)
  assert.equal((await execute('printed', 'alter table orders add column a int')).status, 200)
  assert.equal((await tryNow('printed')).is_set_up, true)
  const [row] = await server.ask(
    database,
    `select relowner::regrole::text as owner from pg_class where relname = 'orders'`,
  )
  assert.match(String(row?.['owner']), /_printed_[0-9a-f]{8}_owner$/)
})

test('a login that no longer works says how to repair it, and a set-up repairs it', async () => {
  const { database, url } = await newDatabase('dba')
  await add('shop', url)
  assert.equal((await it.call(`${list}/shop/setup`, { json: {} })).status, 200)
  assert.equal((await execute('shop', 'alter table orders add column a int')).status, 200)
  const [role] = await server.ask(
    database,
    `select rolname as name from pg_roles where rolname ~ '_shop_.*_agent$'`,
  )
  await server.ask(database, `alter role "${String(role?.['name'])}" password 'changed'`)
  await server.ask(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${String(role?.['name'])}'`,
  )
  const broken = await execute('shop', 'insert into orders values (9)')
  assert.equal(broken.status, 503, broken.text)
  assert.match(
    broken.json.error.message,
    /password authentication failed.*To repair it, run: npx signalbox sql setup shop/,
  )
  const { available } = await tryNow('shop')
  assert.match(available.write.reason, /signalbox sql setup shop/)
  assert.equal((await it.call(`${list}/shop/setup`, { json: {} })).status, 200)
  assert.equal((await execute('shop', 'insert into orders values (9)')).status, 200)
})

test('an administrator who is not the owner sets up with the owner, who may not create roles', async () => {
  const { database, url } = await newDatabase('plain')
  await add('mixed', url)
  const done = await it.call(`${list}/mixed/setup`, {
    json: { url: server.urlOf('dba', 'pw-dba', database) },
  })
  assert.equal(done.status, 200, done.text)
  assert.equal((await execute('mixed', 'alter table orders add column a int')).status, 200)
  assert.equal(done.json.available.migrate.ok, true)
  // Made by the owner later: rows at once, structure after the next set-up.
  await server.ask(url, 'create table later (id int)')
  const { migrate } = (await tryNow('mixed')).available
  assert.deepEqual([migrate.ok, /public\.later/.test(migrate.reason)], [true, true])
  assert.equal((await execute('mixed', 'insert into later values (1)')).status, 200)
})

test('only the schemas that were named can be changed', async () => {
  const { database, url } = await newDatabase('dba')
  await server.ask(url, 'create schema sales; create table sales.deals (id int)')
  await add('sales', url, { schemas: ['sales'] })
  assert.equal((await it.call(`${list}/sales/setup`, { json: {} })).status, 200)
  assert.equal((await execute('sales', 'alter table deals add column a int')).status, 200)
  assert.equal((await execute('sales', 'create table new_deals (id int)')).status, 200)
  assert.equal((await execute('sales', 'alter table public.orders add column a int')).status, 400)
  const [row] = await server.ask(
    database,
    `select relnamespace::regnamespace::text as schema from pg_class where relname = 'new_deals'`,
  )
  assert.equal(row?.['schema'], 'sales')
})

test('the stricter environment applies, of the policy or of the database', async () => {
  const { url } = await newDatabase('plain')
  await add('prod', url, { environment: 'prod' })
  const asked = await execute('prod', 'delete from orders')
  assert.equal(asked.status, 202, asked.text)
  assert.equal((await it.call(`${list}/prod`, { method: 'PATCH', json: { environment: 'dev' } })).status, 200)
  assert.equal((await execute('prod', 'delete from orders')).status, 200)
})

test('other groups have databases of their own, and see no other', async () => {
  const { url } = await newDatabase('plain')
  const group = (await it.call('/api/v1/groups', { json: { name: 'Other' } })).json
  const headers = { 'x-group-id': group.id as string }
  const added = await it.call(list, { json: { name: 'shop', url }, headers })
  assert.equal(added.status, 201, added.text)
  const names = (await it.call(list, { headers })).json.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['shop'])
  await it.call('/api/agents', {
    json: { id: 'free', name: 'free', model: 'm', config: { policy } },
    headers,
  })
  const { json } = await it.call('/api/v1/sql/execute', {
    json: { database: 'shop', sql: 'select count(*)::int as n from orders', reason: 'x', agent_id: 'free' },
    headers,
  })
  assert.deepEqual(json.rows, [{ n: 2 }])
  const foreign = await it.call(`${list}/mixed/test`, { method: 'POST', headers })
  assert.equal(foreign.status, 404)
  assert.equal((await it.call(`${list}/shop`, { method: 'DELETE', headers })).status, 204)
  assert.equal((await it.call(`${list}/shop/test`, { method: 'POST', headers })).status, 404)
  const { json: log } = await it.call('/api/v1/sql/logs?status=database_changed', { headers })
  assert.deepEqual(
    log.data.map(({ sql, database }: { sql: string; database: string }) => [sql, database]),
    [
      ['Database removed: shop', 'shop'],
      ['Database added: shop', 'shop'],
    ],
  )
  await waitFor('the events', async () => {
    const { json: events } = await it.call('/api/console/events?type=config', { headers })
    const titles = events.data.map(({ title }: { title: string }) => title)
    return titles.includes('Database added: shop') && titles.includes('Database removed: shop')
  })
})

test('keys and members add nothing and do not see addresses; private networks need the operator', async () => {
  const key = await keyWith(it, ['sql', 'admin'])
  assert.equal(
    (await key(list, { json: { name: 'x', url: 'postgresql://a:b@db.example.com/x' } })).status,
    403,
  )
  const seen = (await key(list)).json.data.find(({ name }: { name: string }) => name === 'asis')
  assert.deepEqual([seen.host, seen.login, seen.is_available], [null, null, true])
  const member = await personWith(it, 'member')
  assert.equal(
    (await member(list, { json: { name: 'x', url: 'postgresql://a:b@db.example.com/x' } })).status,
    403,
  )
  const admin = await personWith(it, 'admin')
  for (const [url, reason] of [
    [server.urlOf('plain', 'pw-plain', 'db1'), /private network/],
    ['postgresql://a:b@localhost/x', /private network/],
    ['postgresql://a:b@[::ffff:10.0.0.1]/x', /private network/],
    ['postgresql://a:b@db.example.com/x?host=/tmp', /has the parameter host/],
    ['postgresql://a:b@db.example.com/x?sslrootcert=/etc/passwd', /has the parameter sslrootcert/],
    ['postgresql://a:b@db.example.com', /must name a database/],
    ['mysql://a:b@db.example.com/x', /must look like postgresql/],
  ] as const) {
    const { status, json } = await admin(list, { json: { name: 'x', url } })
    assert.deepEqual([status, json.error?.param], [400, 'url'], url)
    assert.match(json.error.message, reason)
  }
  // A name that leads to a private address is found when it is connected to.
  const named = await admin(list, {
    json: { name: 'named', url: 'postgresql://a:b@localhost.localdomain/x' },
  })
  if (named.status === 201) assert.equal(named.json.is_available, false)
})

test('`signalbox sql setup` does the same from a terminal, with an address of an administrator', async () => {
  const { database, url } = await newDatabase('plain')
  const { host, port, user, password } = testServer()
  const platform = `postgresql://${user}:${password}@localhost:${port}/${databaseOf(it)}?host=${encodeURIComponent(host)}`
  const DATABASES = JSON.stringify({ terminal: url })
  const environment = {
    DATA_DIR: it.config.DATA_DIR,
    DATABASE_URL: platform,
    DATABASES,
    MASTER_KEY: testMasterKey,
  }
  const printed = await signalbox(['sql', 'setup', 'terminal', '--print'], environment)
  assert.equal(printed.code, 0, printed.stderr)
  assert.match(printed.stdout, /^-- Run in the database/)
  const before = await stateOf(database)
  const refused = await signalbox(['sql', 'setup', 'terminal'], environment)
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /may not create roles/)
  assert.deepEqual(await stateOf(database), before)
  const done = await signalbox(
    ['sql', 'setup', 'terminal', '--admin-url', server.urlOf('dba', 'pw-dba', database)],
    environment,
  )
  assert.equal(done.code, 0, done.stdout + done.stderr)
  assert.match(done.stdout, /terminal is set up/)
  const { json: log } = await it.call('/api/v1/sql/logs?status=database_changed&database=terminal')
  assert.deepEqual(
    log.data.map(({ sql, executor }: { sql: string; executor: string }) => [sql, executor]),
    [
      ['Database set up: terminal', 'command line'],
      ['Database not set up: terminal', 'command line'],
    ],
  )
})

test('databases of the server say what they are for', async () => {
  const { json } = await it.call(list)
  const purposes = Object.fromEntries(
    json.data.map(({ name, purpose }: { name: string; purpose: string | null }) => [name, purpose]),
  )
  assert.match(purposes.calendar, /calendars and schedules that agents keep/)
  assert.match(purposes.application, /data of an application/)
  assert.equal(purposes.asis, null)
  const taken = await it.call(list, { json: { name: 'calendar', url: 'postgresql://a:b@db.example.com/x' } })
  assert.equal(taken.status, 409)
})
