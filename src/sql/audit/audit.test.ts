import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith, type Ask } from '#test/people'
import { startSql } from '../testing-sql.ts'

const it = await startSql()
const { call, execute } = it
const logs = async (query = ''): Promise<Record<string, unknown>[]> =>
  (await call(`/api/v1/sql/logs?limit=200${query}`)).json.data
const platform = (sql: string) => it.admin(sql, 'status')
const chain = async (): Promise<{ entries: number; head: string; problem: string | null }> =>
  (await call('/api/v1/sql/logs/chain')).json

/** As somebody who may do everything in the database. */
const tamper = async (statement: string, restore: string): Promise<string | null> => {
  const unlocked = (sql: string) => platform(`set session_replication_role = replica; ${sql}`)
  await unlocked(statement)
  const { problem } = await chain()
  await unlocked(restore)
  assert.equal((await chain()).problem, null, `restored after ${statement}`)
  return problem
}

await execute('create table t (id int)')
await execute('insert into t values (1), (2)')
await execute('select * from nowhere')
await execute('drop table t')
await execute('commit')

test('every attempt is there with its outcome, newest first', async () => {
  const rows = await logs()
  assert.deepEqual(
    rows.map((row) => [row['status'], row['operations'], row['rows_affected']]),
    [
      ['refused', ['COMMIT'], null],
      ['paused', ['DROP TABLE'], null],
      ['failed', ['SELECT'], null],
      ['executed', ['INSERT'], 2],
      ['executed', ['CREATE TABLE'], null],
    ],
  )
  const {
    id: _id,
    hash,
    created_at: at,
    duration_ms: _duration,
    seq: _seq,
    asked_by,
    ...rest
  } = rows[2] ?? {}
  assert.deepEqual(asked_by, {
    user: (await call('/api/v1/me')).json.user,
    ...{ agent_id: 'data-engineer', agent_version: null, run_id: null, request: null },
  })
  assert.deepEqual(rest, {
    kind: 'execute',
    database: 'application',
    sql: 'select * from nowhere',
    truncated: false,
    executor: 'owner@localhost',
    agent_id: 'data-engineer',
    reason: 'a test',
    operations: ['SELECT'],
    status: 'failed',
    rule: 'allowed',
    error: 'Relation "nowhere" does not exist.',
    rows_affected: null,
    approval_id: null,
    masked: [],
    grant_id: null,
  })
  assert.match(String(hash), /^[0-9a-f]{64}$/)
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
})

test('the chain is whole, and a changed entry breaks it, whichever column was changed', async () => {
  assert.equal((await chain()).problem, null)
  const columns = await platform(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'sql' and table_name = 'audit'`,
  )
  assert.ok(columns.length > 20)
  const other: Record<string, string> = {
    text: `coalesce($, '') || 'x'`,
    uuid: 'gen_random_uuid()',
    boolean: 'not $',
    bytea: String.raw`'\xdead'`,
    integer: 'coalesce($, 0) + 1',
    bigint: 'coalesce($, 0) + 1000',
    'double precision': 'coalesce($, 0) + 1',
    ARRAY: `$ || array['DROP TABLE']`,
    jsonb: `coalesce($, '{}') || '{"request": "another"}'`,
    'timestamp with time zone': `$ + interval '1 second'`,
  }
  await platform('create table sql.copy as select * from sql.audit')
  const restore = 'delete from sql.audit; insert into sql.audit select * from sql.copy'
  for (const { name, type } of columns) {
    if (name === 'phase') continue
    const value = other[String(type)]?.replaceAll('$', `"${name}"`)
    assert.ok(value, `${name} is of type ${type}`)
    const problem = await tamper(`update sql.audit set "${name}" = ${value} where seq = 3`, restore)
    assert.ok(problem, `${name} was changed and nobody noticed`)
  }
  const last = (await platform('select max(seq) as n from sql.audit'))[0]?.['n']
  const copyOf = (place: string, from: string): string =>
    `insert into sql.audit select (jsonb_populate_record(a,
       jsonb_build_object('seq', ${place}, 'attempt_id', gen_random_uuid()))).* from sql.audit a where seq = ${from}`
  for (const change of [
    `update sql.audit set phase = 'after' where seq = ${last}`,
    'delete from sql.audit where seq = 3',
    `delete from sql.audit where seq = ${last}`,
    'delete from sql.audit where seq = 1',
    `update sql.audit set seq = 1000 where seq = 3; update sql.audit set seq = 3 where seq = 4;
     update sql.audit set seq = 4 where seq = 1000`,
    copyOf('seq + 1', String(last)),
    copyOf('0', '1'),
    `update sql.audit set seq = seq + 1000 where seq > 3; update sql.audit set seq = seq - 999 where seq > 1000;
     ${copyOf('4', '3')}`,
  ])
    assert.ok(await tamper(change, restore), change)
  const { head } = await chain()
  await platform('create table sql.heads as select * from sql.audit_heads')
  const heads = 'delete from sql.audit_heads; insert into sql.audit_heads select * from sql.heads'
  assert.ok(await tamper('delete from sql.audit_heads', heads))
  assert.ok(await tamper('update sql.audit_heads set seq = seq + 1', heads))
  assert.ok(await tamper(String.raw`update sql.audit_heads set hash = '\xdead'`, heads))
  assert.equal((await chain()).head, head)
  await platform('drop table sql.copy, sql.heads')
})

test('entries cannot be changed or deleted by an ordinary statement, except with their group', async () => {
  await assert.rejects(platform(`update sql.audit set status = 'executed'`), /cannot be changed/)
  await assert.rejects(platform('delete from sql.audit'), /cannot be changed/)
  const group = (await call('/api/v1/groups', { json: { name: 'Short' } })).json.id as string
  await execute('select 1', { group_id: group })
  const count = async () =>
    (await platform(`select count(*)::int as n from sql.audit where group_id = '${group}'`))[0]?.['n']
  assert.equal(await count(), 1)
  assert.equal((await call(`/api/v1/groups/${group}`, { method: 'DELETE' })).status, 204)
  assert.equal(await count(), 0)
})

test('attempts at the same moment are one chain', async () => {
  const before = (await chain()).entries
  await Promise.all(Array.from({ length: 30 }, (_, n) => execute(`select ${n}`)))
  const after = await chain()
  assert.deepEqual([after.entries, after.problem], [before + 60, null])
})

test('the text is cut at 10,240 bytes between two characters', async () => {
  const text = `select '${'é'.repeat(6_000)}'`
  await execute(text)
  const [row] = await logs()
  assert.equal(row?.['truncated'], true)
  // 8 bytes, then 5,116 characters of two bytes each.
  assert.equal(row['sql'], text.slice(0, 5_124))
  assert.equal(Buffer.byteLength(row['sql']), 10_240)
})

test('passwords and keys in statements, reasons and errors are not kept', async () => {
  const secret = `sk-proj-${'a1B2'.repeat(12)}`
  await execute(`create role r login password 'hunter2-hunter2'`, { reason: `because ${secret}` })
  await execute(`alter role r password 'hunter2-hunter2'; select '${secret}'`)
  const failed = await execute(`select '${secret}'::int`)
  assert.equal(failed.status, 400)
  assert.ok(!failed.text.includes(secret))
  await execute(`create role r password 'hunter2-hunter2' nonsense`)
  await execute(`create role r password 'hunter2-hunter2`)
  await execute('create role r password hunter2-hunter2')
  await execute('create role r password "hunter2-hunter2"')
  await execute(`set app.password = 'hunter2-hunter2'`)
  await execute(`copy t to program 'curl -H "authorization: hunter2-hunter2" https://example.com'`)
  await execute(`copy t to program 'curl -u me:hunter2-hunter2 https://example.com' nonsense`)
  await execute(`do $$ begin execute 'create role r password ''hunter2-hunter2'''; end $$`)
  const roles = await platform(
    `select array_to_string(rolconfig, ' ') as settings from pg_roles where rolname like '%\\_application\\_agent'`,
  )
  // PostgreSQL would write failed statements, as they are, to its own log.
  assert.ok(roles.some((role) => /log_min_error_statement=panic/.test(String(role['settings']))))
  const [stored] = await platform(`select string_agg(a::text, ' ') as all from sql.audit a`)
  assert.ok(!String(stored?.['all']).includes('hunter2'))
  assert.ok(!String(stored?.['all']).includes(secret))
  assert.ok(!it.logged().includes('hunter2'))
})

test('filters and search', async () => {
  await execute('select 100 as percent_100_x', { reason: 'find 100% of it' })
  assert.equal((await logs('&q=100%25')).length, 1)
  assert.equal((await logs('&q=percent_100')).length, 1)
  assert.equal((await logs('&q=percentX100')).length, 0)
  assert.ok((await logs('&status=failed')).every((row) => row['status'] === 'failed'))
  assert.equal((await logs('&database=calendar')).length, 0)
  assert.equal((await logs('&agent_id=nobody')).length, 0)
  const first = (await call('/api/v1/sql/logs?limit=3')).json
  const second = (await call(`/api/v1/sql/logs?limit=3&cursor=${first.next_cursor}`)).json
  assert.ok(second.data[0].seq < first.data[2].seq)
  for (const query of ['limit=0', 'limit=1001', 'status=odd', 'since=yesterday', 'cursor=x', 'agent=a'])
    assert.equal((await call(`/api/v1/sql/logs?${query}`)).status, 400, query)
})

test('the export has every attempt, and nothing that a spreadsheet would run', async () => {
  await execute('select 1', { reason: '=cmd()|a,"b"' })
  const { json } = await call('/api/v1/sql/logs/export?format=json')
  assert.deepEqual(
    json.map((row: { id: string }) => row.id),
    (await logs()).map((row) => row['id']),
  )
  const { text, headers } = await call('/api/v1/sql/logs/export?format=csv')
  assert.match(headers.get('content-type') ?? '', /text\/csv/)
  assert.ok(text.includes(`"'=cmd()|a,""b"""`))
})

test('admins see every attempt; members and keys their own', async () => {
  const [admin, member] = [await personWith(it, 'admin'), await personWith(it, 'member')]
  const [key, adminKey] = [await keyWith(it, ['sql']), await keyWith(it, ['sql', 'admin'])]
  await execute('select 1 as by_member', {}, member)
  await execute('select 1 as by_key', {}, key)
  const seen = async (by: Ask) =>
    (await by('/api/v1/sql/logs?limit=200')).json.data.map((row: { sql: string }) => row.sql)
  assert.deepEqual(await seen(member), ['select 1 as by_member'])
  assert.deepEqual(await seen(key), ['select 1 as by_key'])
  assert.ok((await seen(admin)).length > 5)
  assert.ok((await seen(adminKey)).length > 5)
  const viewer = await personWith(it, 'viewer')
  assert.equal((await viewer('/api/v1/sql/logs')).status, 403)
  assert.equal((await member('/api/v1/sql/logs/chain')).status, 403)
  const exported = await member('/api/v1/sql/logs/export?format=json')
  assert.equal(exported.json.length, 1)
})

test('what cannot be recorded does not run', async () => {
  await execute('create table unseen (id int)')
  await platform('alter table sql.audit rename to audit_away')
  const { status, json } = await execute('insert into unseen values (1)')
  await platform('alter table sql.audit_away rename to audit')
  assert.equal(status, 503, JSON.stringify(json))
  assert.deepEqual(await it.admin('select * from unseen'), [])
  assert.equal((await execute('insert into unseen values (1)')).status, 200)
  assert.equal((await chain()).problem, null)
})
