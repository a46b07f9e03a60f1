import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { startSql } from './testing-sql.ts'

const it = await startSql()
const { call, execute } = it
await execute('create table orders (id int primary key, amount numeric)')
await execute('insert into orders select g, g * 10 from generate_series(1, 5) g')

const count = async (): Promise<unknown> =>
  (await it.admin('select count(*)::int as n from orders'))[0]?.['n']
const explain = (sql: string, more: object = {}) =>
  call('/api/v1/sql/explain-policy', { json: { database: 'application', sql, ...more } })

test('executed: rows with their columns and types, and the ID of the audit entry', async () => {
  const { status, json } = await execute('select id, amount from orders where id < $1 order by id', {
    params: [3],
  })
  assert.equal(status, 200)
  const { audit_id: auditId, duration_ms: duration, ...rest } = json
  assert.deepEqual(rest, {
    status: 'executed',
    operations: ['SELECT'],
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'amount', type: 'numeric' },
    ],
    rows: [
      { id: 1, amount: '10' },
      { id: 2, amount: '20' },
    ],
    row_count: 2,
    rows_affected: null,
    truncated: false,
  })
  assert.ok(duration >= 0)
  const { json: logs } = await call('/api/v1/sql/logs?limit=1')
  assert.equal(logs.data[0].id, auditId)
  assert.equal(logs.data[0].status, 'executed')
})

test('executed: a write says how many rows it affected', async () => {
  const { status, json } = await execute('update orders set amount = 50 where id = 5')
  assert.deepEqual([status, json.status, json.rows_affected], [200, 'executed', 1])
})

test('executed: rows that are written inside WITH are counted', async () => {
  await execute('create table stock (id int primary key)')
  await execute('create table shelf (id int references stock on delete cascade)')
  await execute('insert into stock select g from generate_series(1, 5) g')
  await execute('insert into shelf values (1), (2), (2)')
  const sql = 'with gone as (delete from stock where id <= 2 returning id) select count(*) as n from gone'
  const tried = await execute(sql, { dry_run: true })
  assert.equal(tried.json.rows_affected, 2, tried.text)
  const ran = await execute(sql)
  assert.deepEqual([ran.json.rows_affected, ran.json.rows], [2, [{ n: 2 }]], ran.text)
  const both = await execute(
    'with a as (insert into stock values (7), (8) returning 1), b as (update stock set id = 9 where id = 5 returning 1) select 1 as one',
  )
  assert.equal(both.json.rows_affected, 3, both.text)
  const moved = await call('/api/v1/sql/migrate', {
    json: {
      database: 'application',
      name: 'with-writes',
      statements: [
        'with a as (delete from stock where id = 3 returning 1) select 1',
        'update stock set id = 1 where id = 4',
      ],
      reason: 'a test',
    },
  })
  assert.equal(moved.json.rows_affected, 2, moved.text)
  assert.equal((await execute('select 1 as one')).json.rows_affected, null)
})

test('max_rows cuts the result and says so', async () => {
  const { json } = await execute('select id from orders order by id', { max_rows: 2 })
  assert.deepEqual([json.row_count, json.truncated], [2, true])
  assert.equal((await execute('select 1', { max_rows: 10_001 })).status, 400)
})

test('dry run: decision, plan and rows, and nothing is kept', async () => {
  const write = await execute('delete from orders where id > 3', { dry_run: true })
  assert.equal(write.status, 200)
  assert.deepEqual(
    [write.json.status, write.json.decision, write.json.rows_affected, write.json.operations],
    ['dry_run', 'execute', 2, ['DELETE']],
  )
  assert.ok(write.json.plan)
  const read = await execute('select * from orders', { dry_run: true })
  assert.deepEqual([read.json.status, read.json.rows_affected], ['dry_run', null])
  const commented = await execute('-- why\n/* how */ select * from orders', { dry_run: true })
  assert.equal(commented.json.plan[0].Plan['Node Type'], 'Seq Scan')
  const paused = await execute('drop table orders', { dry_run: true })
  assert.deepEqual([paused.status, paused.json.decision], [200, 'approve'])
  assert.equal(await count(), 5)
  assert.deepEqual((await call('/api/v1/sql/approvals?status=pending')).json.data, [])
})

test('dry run of a wrong statement is the same error as its run', async () => {
  for (const sql of ['select nothing from orders', 'update orders set nothing = 1']) {
    const [dry, run] = [await execute(sql, { dry_run: true }), await execute(sql)]
    assert.equal(dry.status, 400)
    assert.deepEqual(dry.json, run.json)
    assert.equal(dry.json.error.sqlstate, '42703')
    assert.equal(sql.slice(dry.json.error.position, dry.json.error.position + 7), 'nothing')
  }
})

test('needs approval: 202 with the evidence, and nothing has happened', async () => {
  const { status, json } = await execute('truncate orders')
  assert.equal(status, 202)
  assert.deepEqual([json.status, json.operations], ['pending_approval', ['TRUNCATE']])
  const hours = (Date.parse(json.expires_at) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`)
  assert.ok(json.preview.locks.length > 0)
  assert.equal(await count(), 5)
  // The same again waits for the same decision.
  assert.equal((await execute('truncate orders')).json.approval_id, json.approval_id)
})

test('refused: 403 names the operation, the rule and the policy', async () => {
  const { status, json } = await execute('create function f() returns int language sql as $$ select 1 $$')
  assert.equal(status, 403)
  assert.equal(json.error.code, 'policy_violation')
  assert.equal(json.error.type, 'policy_error')
  assert.match(json.error.message, /CREATE FUNCTION/)
  assert.match(json.error.message, /rule \w+, policy of the agent "data-engineer"/)
})

test('refused: another database, another session setting, several statements', async () => {
  assert.equal((await execute('select 1', { database: 'elsewhere' })).json.error.code, 'policy_violation')
  assert.equal((await execute('set role postgres')).status, 403)
  assert.equal((await execute('select 1; select 2')).status, 403)
  assert.equal((await execute('commit')).status, 403)
})

test('SQL error: 400 with sqlstate and position', async () => {
  const { status, json } = await execute('select * from nowhere')
  assert.equal(status, 400)
  const { message, ...rest } = json.error
  assert.deepEqual(rest, {
    type: 'invalid_request_error',
    param: null,
    code: 'sql_error',
    sqlstate: '42P01',
    position: 14,
  })
  assert.match(message, /nowhere/)
  const syntax = await execute('selec 1')
  assert.deepEqual([syntax.status, syntax.json.error.sqlstate, syntax.json.error.position], [400, '42601', 0])
})

test('bad input is a clear 400 and an unknown agent or database 404', async () => {
  for (const json of [
    {},
    { database: 'application', sql: 'select 1' },
    { database: 'application', sql: '', reason: 'x' },
    { database: 'application', sql: 'select 1', reason: ' ' },
    { database: 'application', sql: 'select 1', reason: 'x', dryrun: true },
    { database: 'application', sql: 'select 1', reason: 'x', approval_id: '7' },
    { database: 'application', sql: 'select $1', params: {}, reason: 'x' },
  ])
    assert.equal((await call('/api/v1/sql/execute', { json })).status, 400, JSON.stringify(json))
  assert.equal((await execute('select 1', { agent_id: 'nobody' })).status, 404)
  assert.equal((await execute(`select '${'x'.repeat(70_000)}'`)).status, 400)
})

test('a policy with a word that names no operation is refused, with the field and the word', async () => {
  const policy = {
    allowed_databases: ['application'],
    allowed_operations: ['SELECT'],
    requires_approval: ['DORP'],
    environment: 'dev',
  }
  const made = await call('/api/agents', {
    json: { id: 'typo', name: 'typo', model: 'm', config: { policy } },
  })
  const changed = await call('/api/agents/data-engineer', { method: 'PATCH', json: { config: { policy } } })
  for (const answer of [made, changed]) {
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.json.error.param, 'config.policy.requires_approval.0')
    assert.match(answer.json.error.message, /DORP is no operation of PostgreSQL/)
  }
})

test('an agent without a policy may do nothing', async () => {
  const { status, json } = await execute('select 1', { agent_id: 'embeddings' })
  assert.equal(status, 403)
  assert.match(json.error.message, /no policy/)
})

test('explain says what would happen, by which rule and where, and runs nothing', async () => {
  const before = (await call('/api/v1/sql/logs?limit=1')).json.data[0].id
  const text = 'with gone as (delete from orders returning *) select count(*) from gone'
  assert.deepEqual((await explain(text)).json.operations.toSorted(), ['DELETE', 'SELECT'])
  const drop = (await explain('select 1; drop table orders')).json
  assert.equal(drop.decision, 'refuse')
  const paused = (await explain(' drop table orders')).json
  assert.deepEqual([paused.decision, paused.position], ['approve', 1])
  const refused = (await explain('select lo_unlink(10)')).json
  assert.deepEqual([refused.decision, refused.functions], ['refuse', ['lo_unlink']])
  assert.ok(refused.needed !== '')
  const broken = (await explain('selec')).json
  assert.deepEqual([broken.decision, broken.rule, broken.position], ['refuse', 'syntax', 0])
  assert.equal(await count(), 5)
  assert.equal((await call('/api/v1/sql/logs?limit=1')).json.data[0].id, before)
})

test('databases belong to the first group: elsewhere they do not exist', async () => {
  const group = (await call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const stranger = await personWith(it, 'owner', group)
  assert.equal((await execute('select 1', {}, stranger)).status, 404)
  assert.deepEqual((await stranger('/api/v1/sql/databases')).json.data, [])
  assert.deepEqual(
    (await call('/api/v1/sql/databases')).json.data.map((each: { name: string }) => each.name),
    ['status', 'calendar', 'application'],
  )
  // It is in the log of the group that tried.
  assert.equal((await stranger('/api/v1/sql/logs')).json.data[0].status, 'refused')
})

test('keys need the scope sql, and people a role that writes', async () => {
  assert.equal((await execute('select 1', {}, await keyWith(it, ['sql']))).status, 200)
  assert.equal((await execute('select 1', {}, await keyWith(it, ['read', 'gateway']))).status, 403)
  assert.equal((await execute('select 1', {}, await personWith(it, 'member'))).status, 200)
  assert.equal((await execute('select 1', {}, await personWith(it, 'viewer'))).status, 403)
})

test('a migration is applied once, with checks side by side', async () => {
  const json = {
    database: 'application',
    name: 'notes',
    statements: ['create table notes (id int primary key)', 'insert into notes values (1), (2)'],
    checks: ["select to_regclass('notes') is not null as there"],
    reason: 'a test',
  }
  const dry = await call('/api/v1/sql/migrate', { json: { ...json, dry_run: true } })
  assert.deepEqual([dry.status, dry.json.status, dry.json.rows_affected], [200, 'dry_run', 2])
  const done = await call('/api/v1/sql/migrate', { json })
  assert.equal(done.status, 200, done.text)
  assert.deepEqual([done.json.status, done.json.operations], ['executed', ['CREATE TABLE', 'INSERT']])
  assert.deepEqual(done.json.checks, [
    { sql: json.checks[0], before: [{ there: false }], after: [{ there: true }] },
  ])
  assert.equal((await call('/api/v1/sql/migrate', { json })).json.status, 'already_applied')
  const other = { ...json, statements: ['select 1'] }
  assert.equal((await call('/api/v1/sql/migrate', { json: other })).status, 409)
  const checking = { ...json, name: 'checking', checks: ['delete from orders'] }
  assert.equal((await call('/api/v1/sql/migrate', { json: checking })).status, 403)
  const both = { ...json, sql: 'select 1' }
  assert.equal((await call('/api/v1/sql/migrate', { json: both })).status, 400)
})
