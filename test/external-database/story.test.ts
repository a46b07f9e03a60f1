import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startExternalServer } from '#test/external-server'
import { platform, startRuns } from '#test/runs'

/*
 * The main story on a database that is not ours, set up only by the API, by an owner who is no superuser. Part of the
 * tables were made before by somebody else.
 */
const server = await startExternalServer()
await server.ask(
  'postgres',
  `create role shop login createrole password 'pw-shop'; create role clerk login password 'pw-clerk'; grant clerk to shop`,
)
await server.ask('postgres', 'create database shop owner shop')
const owner = server.urlOf('shop', 'pw-shop', 'shop')
await server.ask('shop', 'grant create on schema public to clerk')
await server.ask(
  server.urlOf('clerk', 'pw-clerk', 'shop'),
  `create table orders (id int primary key, amount numeric); insert into orders select g, g * 10 from generate_series(1, 4) g`,
)
await server.ask(owner, 'create table customers (id serial primary key, name text)')

const it = await startRuns()
const policy = {
  allowed_databases: ['shop'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE INDEX', 'CREATE TABLE'],
  requires_approval: ['DROP', 'TRUNCATE', 'ALTER TABLE'],
  environment: 'dev',
}
const shared = { database: 'shop', reason: 'a test' }
const execute = (sql: string) => ({ name: 'platform_sql_execute', arguments: { ...shared, sql } })
const migrate = (name: string, statements: string[]) => ({
  name: 'platform_sql_migrate',
  arguments: { ...shared, name, statements },
})
const play = (...calls: ReturnType<typeof execute | typeof migrate>[]): void => {
  for (const call of calls) it.script({ toolCalls: [call] })
  it.script({ text: 'Done.' })
}
const columns = `select column_name from information_schema.columns where table_name = 'orders'`
const count = 'select count(*) from orders'

test(`an agent changes the structure of an external PostgreSQL ${server.version} with approval`, async () => {
  const added = await it.call('/api/v1/sql/databases', { json: { name: 'shop', url: owner } })
  assert.equal(added.status, 201, added.text)
  assert.match(added.json.available.read.reason, /allowed to create roles. Run: npx signalbox sql setup shop/)
  const done = await it.call('/api/v1/sql/databases/shop/setup', { json: {} })
  assert.equal(done.status, 200, done.text)
  const ok = { ok: true, reason: null }
  assert.deepEqual(done.json.available, { read: ok, write: ok, migrate: ok, undo: ok })

  await it.agent('engineer', { policy, mcp_servers: platform, permission_mode: 'bypassPermissions' })
  play(
    execute(columns),
    execute(count),
    migrate('note', [
      'alter table orders add column if not exists note text',
      `update orders set note = 'large' where amount > 20`,
    ]),
    execute(count),
    execute('select * from orders limit 2'),
  )
  const run = await it.ask('engineer', { request: 'Orders need notes' })
  assert.ok(run.waiting_for?.kind === 'approval', JSON.stringify(run))
  await it.call(`/api/v1/sql/approvals/${run.waiting_for.approval_id}/approve`, { json: {} })
  const changed = await it.until(run.run_id, 'completed')
  assert.deepEqual([changed.workflow?.kind, changed.workflow?.status], ['migration', 'complete'])
  assert.deepEqual(await server.ask('shop', 'select id, note from orders order by id'), [
    { id: 1, note: null },
    { id: 2, note: null },
    { id: 3, note: 'large' },
    { id: 4, note: 'large' },
  ])
  const { json: devlogs } = await it.call('/api/devlogs?service_id=engineer')
  assert.equal(devlogs.data[0].title, 'ALTER TABLE, UPDATE on orders in shop')
  assert.deepEqual(devlogs.data[0].metadata.validation, { pre_count: 4, post_count: 4, verified: true })
})

test('a DROP that a person rejects leaves the table', async () => {
  play(execute(count), migrate('drop', ['drop table if exists orders']))
  const run = await it.ask('engineer', { request: 'Drop the orders' })
  assert.ok(run.waiting_for?.kind === 'approval', JSON.stringify(run))
  await it.call(`/api/v1/sql/approvals/${run.waiting_for.approval_id}/reject`, { json: {} })
  await it.until(run.run_id, 'completed')
  assert.equal((await server.ask('shop', 'select from orders')).length, 4)
})

test('a change of rows under the default policy is undone, also after a column was added', async () => {
  const call = (path: string, json: object) =>
    it.call(path, { json: { ...shared, agent_id: 'engineer', ...json } })
  const before = await server.ask('shop', 'select id, amount::text, note from orders order by id')
  const updated = await call('/api/v1/sql/execute', { sql: 'update orders set amount = 0 where id <= 3' })
  assert.deepEqual([updated.status, updated.json.rows_affected], [200, 3], updated.text)
  await server.ask(owner, `alter table orders add column later text default 'x'`)
  const undone = await it.call(`/api/v1/sql/logs/${updated.json.audit_id}/undo`, {
    json: { reason: 'a mistake' },
  })
  assert.deepEqual([undone.status, undone.json.rows_affected], [200, 3], undone.text)
  assert.deepEqual(await server.ask('shop', 'select id, amount::text, note from orders order by id'), before)
  const deleted = await call('/api/v1/sql/execute', { sql: 'delete from orders where id = 4' })
  const back = await it.call(`/api/v1/sql/logs/${deleted.json.audit_id}/undo`, {
    json: { reason: 'a mistake' },
  })
  assert.deepEqual([back.status, back.json.rows_affected], [200, 1], back.text)
  assert.deepEqual(await server.ask('shop', 'select id, amount::text, note from orders order by id'), before)
})

test('every kind of change works on tables of both former owners, who keep theirs', async () => {
  const asEverything = {
    ...policy,
    requires_approval: [],
    allowed_operations: [...policy.allowed_operations, 'ALTER TABLE', 'DROP', 'TRUNCATE'],
  }
  await it.agent('free', { policy: asEverything })
  const run = async (sql: string): Promise<void> => {
    const { status, text } = await it.call('/api/v1/sql/execute', {
      json: { ...shared, agent_id: 'free', sql },
    })
    assert.equal(status, 200, `${sql}: ${text}`)
  }
  await run('create table carts (id bigserial primary key, note text)')
  await run('create index on orders (amount)')
  await run('alter table customers add column email text')
  await run('insert into customers (name) values ($$a$$)')
  await run('truncate customers')
  await run('insert into carts (note) values ($$b$$)')
  // What the agent made belongs to the group role, so the former owners have it too.
  await server.ask(owner, 'alter table carts add column made_by_owner int; select * from carts')
  await server.ask(
    server.urlOf('clerk', 'pw-clerk', 'shop'),
    'alter table orders add column made_by_clerk int; select * from orders',
  )
  await run('drop table carts')
  const { json } = await it.call('/api/v1/sql/migrate', {
    json: { ...shared, agent_id: 'free', name: 'm1', statements: ['create table later_on (id int)'] },
  })
  assert.equal(json.status, 'executed', JSON.stringify(json))
})
