import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith, type Ask } from '#test/people'
import type { Answer } from '#test/product'
import { waitFor } from '#test/wait'
import { startSql } from '../testing-sql.ts'

const it = await startSql()
const { call, execute } = it
const admin = await personWith(it, 'admin')
const other = await personWith(it, 'owner')
const member = await personWith(it, 'member')
const key = await keyWith(it, ['sql'], admin)

await execute('create table items (id int primary key, n int)')
await execute('create table parts (id int primary key, item int references items on delete cascade)')
await execute('insert into items select g, g from generate_series(1, 10) g')
await execute('insert into parts select g, g from generate_series(1, 10) g')

const policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT'],
  requires_approval: ['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'TRUNCATE'],
  environment: 'dev',
}
const makeAgent = (id: string, more: object = {}) =>
  call('/api/agents', { json: { id, name: id, model: 'm', config: { policy: { ...policy, ...more } } } })
await makeAgent('careful')
await makeAgent('production', { environment: 'prod' })
await makeAgent('alone', { environment: 'prod', four_eyes: false })
await makeAgent('pairs', { four_eyes: true })

const careful = { agent_id: 'careful' }
const decide = (id: string, verb: string, by: Ask = call, json: object = {}) =>
  by(`/api/v1/sql/approvals/${id}/${verb}`, { json })
const logsOf = async (id: string): Promise<string[]> =>
  (await call('/api/v1/sql/logs?limit=200')).json.data
    .filter((each: { approval_id: string }) => each.approval_id === id)
    .map((each: { status: string }) => each.status)
    .toReversed()

async function asked(sql: string, more: object = careful, by: Ask = call): Promise<string> {
  const answer = await execute(sql, more, by)
  assert.equal(answer.status, 202, answer.text)
  return answer.json.approval_id as string
}

const refusedWith = (answer: Answer, what: RegExp): void => {
  assert.equal(answer.status, 403, answer.text)
  assert.equal(answer.json.error.code, 'policy_violation')
  assert.match(answer.json.error.message, what)
}

test('two keys of one name that ask for the same statement have an approval each', async () => {
  const second = await keyWith(it, ['sql'], admin)
  const sql = 'delete from parts where id = -1'
  const first = await asked(sql, careful, key)
  assert.equal(await asked(sql, careful, key), first, 'the same request again is the same approval')
  assert.notEqual(await asked(sql, careful, second), first)
})

test('the rows that TRUNCATE and DROP TABLE take away are evidence, and are compared', async () => {
  await execute('create table "Old rows" (id int primary key)')
  await execute('create table kept (id int references "Old rows")')
  await execute('insert into "Old rows" select g from generate_series(1, 3) g')
  await execute('insert into kept values (1), (2)')
  const counts = (schema: string, name: string, deleted: number) => [
    { schema, name, inserted: 0, updated: 0, deleted },
  ]
  const sql = 'truncate "Old rows" cascade'
  const id = await asked(sql)
  const { preview } = (await call(`/api/v1/sql/approvals/${id}`)).json
  assert.deepEqual(preview.effect.tables, [
    ...counts('public', 'Old rows', 3),
    ...counts('public', 'kept', 2),
  ])
  await decide(id, 'approve', other)
  await execute('insert into kept values (3)')
  const again = await execute(sql, { ...careful, approval_id: id })
  assert.equal(again.status, 202, again.text)
  assert.equal(again.json.preview.effect.tables[1].deleted, 3)
  await decide(again.json.approval_id, 'approve', other)
  const done = await execute(sql, { ...careful, approval_id: again.json.approval_id })
  assert.equal(done.status, 200, done.text)
  assert.deepEqual(await it.admin('select count(*)::int as n from kept'), [{ n: 0 }])
  await execute('insert into "Old rows" values (1)')
  const drop = await execute('drop table "Old rows" cascade', careful)
  assert.deepEqual(drop.json.preview?.effect.tables, counts('public', 'Old rows', 1), drop.text)
})

test('what was approved runs once, with the approval, and everything is in the audit log', async () => {
  const sql = 'delete from items where id = 1'
  const id = await asked(sql)
  const waiting = (await call(`/api/v1/sql/approvals/${id}`)).json
  assert.deepEqual(waiting.preview.effect.tables, [
    { schema: 'public', name: 'items', inserted: 0, updated: 0, deleted: 1 },
    { schema: 'public', name: 'parts', inserted: 0, updated: 0, deleted: 1 },
  ])
  assert.deepEqual([waiting.status, waiting.may_decide, waiting.sql], ['pending', true, sql])
  const early = await execute(sql, { ...careful, approval_id: id })
  assert.deepEqual([early.status, early.json.approval_id], [202, id])
  const approved = await decide(id, 'approve', call, { note: 'fine' })
  assert.deepEqual(
    [approved.status, approved.json.status, approved.json.note, approved.json.decided_by],
    [200, 'approved', 'fine', 'owner@localhost'],
  )
  const run = await execute(sql, { ...careful, approval_id: id })
  assert.deepEqual([run.status, run.json.rows_affected], [200, 1])
  refusedWith(await execute(sql, { ...careful, approval_id: id }), /used already/)
  assert.deepEqual(await logsOf(id), ['paused', 'paused', 'approved', 'executed', 'refused'])
  const after = (await call(`/api/v1/sql/approvals/${id}`)).json
  assert.deepEqual([after.status, after.audit_id], ['used', run.json.audit_id])
})

test('the approval is for this text, these parameters, this database, this policy', async () => {
  const sql = 'update items set n = $1 where id = 2'
  const id = await asked(sql, { ...careful, params: [7] })
  await decide(id, 'approve')
  const again = { ...careful, params: [7], approval_id: id }
  refusedWith(await execute(`${sql} `, again), /another text/)
  refusedWith(await execute('update items set n = $1 where id = 3', again), /another text/)
  refusedWith(await execute(sql, { ...again, params: [8] }), /another text/)
  refusedWith(await execute(sql, { ...again, agent_id: 'pairs' }), /another text/)
  await call('/api/agents/careful', {
    method: 'PATCH',
    json: { config: { policy: { ...policy, allowed_operations: ['SELECT', 'CREATE INDEX'] } } },
  })
  refusedWith(await execute(sql, again), /version of the policy/)
  await call('/api/agents/careful', { method: 'PATCH', json: { config: { policy } } })
  refusedWith(await execute(sql, again), /version of the policy/)
  assert.equal((await execute(sql, { ...careful, approval_id: crypto.randomUUID() })).status, 404)
})

test('an approval asked for under an older policy cannot be given', async () => {
  const id = await asked('delete from items where id = 9')
  await call('/api/agents/careful', {
    method: 'PATCH',
    json: { config: { policy: { ...policy, four_eyes: false } } },
  })
  assert.equal((await decide(id, 'approve')).status, 409)
  const { status, reason } = (await call(`/api/v1/sql/approvals/${id}`)).json
  assert.deepEqual([status, reason], ['expired', 'The policy of the agent changed.'])
})

test('an expired approval neither counts nor can be decided', async () => {
  const sql = 'delete from items where id = 3'
  const [given, waiting] = [await asked(sql), await asked('delete from items where id = 4')]
  await decide(given, 'approve')
  await it.admin(`update sql.approvals set expires_at = now() - interval '1 second'`, 'status')
  refusedWith(await execute(sql, { ...careful, approval_id: given }), /expired/)
  assert.equal((await decide(waiting, 'approve')).status, 409)
  const list = (await call('/api/v1/sql/approvals?status=expired')).json.data as { id: string }[]
  assert.ok(list.some((each) => each.id === waiting))
  assert.equal((await call(`/api/v1/sql/approvals/${waiting}`)).json.status, 'expired')
})

test('a rejected statement does not run, and its note reaches the caller who asked', async () => {
  const sql = 'delete from items where id = 5'
  const id = await asked(sql, careful, key)
  assert.equal((await decide(id, 'reject', call, { note: 'wrong table' })).json.status, 'rejected')
  refusedWith(await execute(sql, { ...careful, approval_id: id }, key), /rejected.*wrong table/)
  assert.equal((await decide(id, 'approve')).status, 409)
  assert.deepEqual(await logsOf(id), ['paused', 'rejected', 'refused'])
})

test('two decisions at once: one wins', async () => {
  const id = await asked('delete from items where id = 6')
  const answers = await Promise.all([
    decide(id, 'approve'),
    decide(id, 'reject', other),
    decide(id, 'approve', admin),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  )
  assert.equal((await logsOf(id)).length, 2)
})

test('two uses at once: the statement runs once', async () => {
  const sql = 'update items set n = n + 100 where id = 7'
  const id = await asked(sql)
  await decide(id, 'approve')
  // Nobody gets past the audit log until all have seen that the approval is good.
  const log = await it.hold('select from sql.audit_heads for update', 'status')
  const calls = Array.from({ length: 4 }, () => execute(sql, { ...careful, approval_id: id }))
  await waitFor('all calls at the audit log', async () => {
    const waiting = await it.admin(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      'status',
    )
    return waiting.length === 4
  })
  await log.release()
  const answers = await Promise.all(calls)
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 403, 403, 403],
  )
  assert.equal((await it.admin('select n from items where id = 7'))[0]?.['n'], 107)
})

test('neither a key, a member nor a viewer decides; nor a person who lost the role meanwhile', async () => {
  const id = await asked('delete from items where id = 8')
  const everything = await keyWith(it, ['sql', 'admin', 'agents'])
  const viewer = await personWith(it, 'viewer')
  for (const by of [everything, member, viewer])
    for (const verb of ['approve', 'reject', 'run']) assert.equal((await decide(id, verb, by)).status, 403)
  const demoted = await personWith(it, 'admin')
  const path = `/api/v1/groups/${it.first.groupId}/members/${demoted.id}`
  assert.equal((await demoted(`/api/v1/sql/approvals/${id}`)).json.may_decide, true)
  assert.equal((await call(path, { method: 'PATCH', json: { role: 'member' } })).status, 204)
  assert.equal((await decide(id, 'approve', demoted)).status, 403)
  assert.equal((await call(`/api/v1/sql/approvals/${id}`)).json.status, 'pending')
})

test('four eyes: the person who asked, or whose key asked, does not approve', async () => {
  const pairs = { agent_id: 'pairs' }
  const own = await asked('delete from items where id = 10', pairs, admin)
  assert.equal((await decide(own, 'approve', admin)).status, 403)
  assert.equal((await admin(`/api/v1/sql/approvals/${own}`)).json.may_decide, false)
  const byKey = await asked('delete from items where id = 11', pairs, key)
  assert.equal((await decide(byKey, 'approve', admin)).status, 403)
  assert.equal((await decide(byKey, 'approve', other)).status, 200)
  // In prod by default, as there is a second admin; unless the policy says otherwise.
  const inProd = await asked('delete from items where id = 12', { agent_id: 'production' }, admin)
  assert.equal((await decide(inProd, 'approve', admin)).status, 403)
  assert.equal((await decide(inProd, 'reject', admin)).status, 200)
  const alone = await asked('delete from items where id = 12', { agent_id: 'alone' }, admin)
  assert.equal((await decide(alone, 'approve', admin)).status, 200)
})

test('another effect than the approved one is rolled back and asked again', async () => {
  await it.admin('insert into items values (200, 500)')
  const sql = 'delete from items where n >= 500'
  const id = await asked(sql, careful, key)
  await decide(id, 'approve')
  await it.admin('insert into items values (201, 500), (202, 500)')
  const answer = await execute(sql, { ...careful, approval_id: id }, key)
  assert.equal(answer.status, 202)
  assert.notEqual(answer.json.approval_id, id)
  assert.equal(answer.json.preview.rows_affected, 3)
  assert.equal((await it.admin('select count(*)::int as n from items where n >= 500'))[0]?.['n'], 3)
  await decide(answer.json.approval_id, 'approve')
  const run = await execute(sql, { ...careful, approval_id: answer.json.approval_id }, key)
  assert.deepEqual([run.status, run.json.rows_affected], [200, 3])
})

test('the same number of other rows is another effect: rolled back and asked again', async () => {
  await execute('create table boxes (id int primary key, kind text)')
  await execute('create table labels (box int references boxes on delete cascade, text text)')
  await execute('create table loose (kind text, n int)')
  const fill = async (): Promise<void> => {
    await it.admin('truncate boxes, labels, loose')
    await it.admin(
      `insert into boxes select g, case when g <= 5 then 'old' else 'new' end from generate_series(1, 10) g`,
    )
    await it.admin(`insert into labels select g, 'label ' || g from generate_series(1, 10) g`)
    await it.admin(`insert into loose select kind, id from boxes`)
  }
  /** Afterwards the statement finds as many rows as before, and others. */
  const others = `update boxes set kind = case kind when 'old' then 'new' else 'old' end`
  const cases: [sql: string, change: string][] = [
    [`delete from boxes where kind = 'old'`, others],
    [`update boxes set kind = 'gone' where kind = 'old'`, others],
    [`delete from loose where kind = 'old'`, `update loose set n = n + 1 where kind = 'old'`],
    [`with gone as (delete from boxes where kind = 'old' returning id) select count(*) from gone`, others],
    // The same boxes, and another label that goes with them.
    [
      'delete from boxes where id <= 3',
      `delete from labels where box = 1; insert into labels values (2, 'another one')`,
    ],
    ['truncate labels', `update labels set text = 'another one' where box = 4`],
  ]
  for (const [sql, change] of cases) {
    await fill()
    const id = await asked(sql)
    await decide(id, 'approve')
    await it.admin(change)
    const answer = await execute(sql, { ...careful, approval_id: id })
    assert.equal(answer.status, 202, `${sql}: ${answer.text}`)
    assert.notEqual(answer.json.approval_id, id)
    await decide(answer.json.approval_id, 'approve')
    const ran = await execute(sql, { ...careful, approval_id: answer.json.approval_id })
    assert.equal(ran.status, 200, `${sql}: ${ran.text}`)
  }
})

test('rows that other statements change at the same time do not matter', async () => {
  await execute('create table busy (id int primary key, n int)')
  await execute('insert into busy select g, 0 from generate_series(1, 10) g')
  const sql = 'update busy set n = 1 where id <= 5'
  const id = await asked(sql)
  await decide(id, 'approve')
  const first = await it.hold('select from busy where id = 1 for update')
  const running = execute(sql, { ...careful, approval_id: id })
  await waitFor('the statement to wait for the first row', async () => {
    const waiting = `select from pg_stat_activity where query like 'update busy set n = 1%' and wait_event_type = 'Lock'`
    return (await it.admin(waiting)).length > 0
  })
  const other = await it.hold('update busy set n = 2 where id > 5')
  await first.release()
  const answer = await running
  assert.equal(answer.status, 200, answer.text)
  await other.release()
})

test('a migration is approved for the rows that were shown', async () => {
  await execute('create table moved (id int primary key, done boolean)')
  await execute('insert into moved select g, g <= 2 from generate_series(1, 4) g')
  const json = {
    ...careful,
    database: 'application',
    reason: 'a test',
    name: 'clean-moved',
    statements: ['delete from moved where done'],
  }
  const first = await call('/api/v1/sql/migrate', { json })
  assert.equal(first.status, 202, first.text)
  await decide(first.json.approval_id, 'approve')
  await it.admin('update moved set done = not done')
  const again = await call('/api/v1/sql/migrate', { json: { ...json, approval_id: first.json.approval_id } })
  assert.equal(again.status, 202, again.text)
  assert.equal((await it.admin('select from moved')).length, 4)
})

test('a statement that waits is tried once, however often it is sent', async () => {
  await execute('create table tried (id serial, n int)')
  const sql = 'insert into tried default values'
  const ids = await Promise.all([asked(sql), asked(sql), asked(sql)])
  ids.push(await asked(sql))
  assert.equal(new Set(ids).size, 1)
  assert.deepEqual(await it.admin('select last_value::int as n, is_called from tried_id_seq'), [
    { n: 1, is_called: true },
  ])
})

test('a statement that could not be tried says so, and waits for no lock of another session', async () => {
  await execute('create table held (id int)')
  const { release } = await it.hold('lock table held in access share mode')
  const answer = await execute('drop table held', careful)
  assert.equal(answer.status, 202, answer.text)
  assert.match(answer.json.preview.skipped, /could not be tried.*Another session holds a lock/)
  assert.equal(answer.json.preview.effect, null)
  await release()
})

test('a person runs what was approved from the page, once', async () => {
  const id = await asked('insert into items values (301, 1)', careful, key)
  assert.equal((await call(`/api/v1/sql/approvals/${id}/run`, { method: 'POST' })).status, 202)
  await decide(id, 'approve', other)
  assert.equal((await call(`/api/v1/sql/approvals/${id}`)).json.is_runnable, true)
  const run = await other(`/api/v1/sql/approvals/${id}/run`, { method: 'POST' })
  assert.deepEqual([run.status, run.json.rows_affected], [200, 1])
  assert.equal((await other(`/api/v1/sql/approvals/${id}/run`, { method: 'POST' })).status, 403)
  const [entry] = (await call('/api/v1/sql/logs?status=executed&limit=1')).json.data
  assert.match(entry.executor, /^owner-/)
})

test('a statement that cannot work is not shown to anybody', async () => {
  const { status, json } = await execute('delete from nowhere', careful)
  assert.deepEqual([status, json.error.sqlstate], [400, '42P01'])
})

test('a statement with a key in it waits without its text, and runs when it is sent again', async () => {
  const secret = `sk-proj-${'a1B2'.repeat(12)}`
  await execute('create table notes (t text)')
  const sql = `insert into notes values ('${secret}')`
  const id = await asked(sql)
  const shown = await call(`/api/v1/sql/approvals/${id}`)
  assert.ok(!shown.text.includes(secret))
  await decide(id, 'approve')
  assert.equal((await call(`/api/v1/sql/approvals/${id}/run`, { method: 'POST' })).status, 409)
  assert.equal((await execute(sql, { ...careful, approval_id: id })).status, 200)
  assert.ok(!(await call('/api/v1/sql/logs?limit=100')).text.includes(secret))
  const [stored] = await it.admin('select string_agg(a::text, $$ $$) as all from sql.approvals a', 'status')
  assert.ok(!String(stored?.['all']).includes(secret))
})

test('a key sees its own approvals, and another group none', async () => {
  const mine = await asked('delete from items where id = 99', careful, key)
  const notMine = await asked('delete from items where id = 98')
  const seen = (await key('/api/v1/sql/approvals?limit=200')).json.data as { requested_by: string }[]
  assert.deepEqual([...new Set(seen.map((each) => each.requested_by))], ['key sql'])
  assert.equal((await key(`/api/v1/sql/approvals/${mine}`)).status, 200)
  assert.equal((await key(`/api/v1/sql/approvals/${notMine}`)).status, 404)
  const second = await keyWith(it, ['sql'], admin)
  assert.equal((await second(`/api/v1/sql/approvals/${mine}`)).status, 404)
  for (const by of [admin, member]) assert.equal((await by(`/api/v1/sql/approvals/${mine}`)).status, 200)
  const group = (await call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const stranger = await personWith(it, 'owner', group)
  assert.deepEqual((await stranger('/api/v1/sql/approvals')).json.data, [])
  assert.equal((await stranger(`/api/v1/sql/approvals/${mine}`)).status, 404)
  for (const verb of ['approve', 'reject', 'run'])
    assert.equal((await decide(mine, verb, stranger)).status, 404)
})

test('what waits and what was decided is in the console', async () => {
  const id = await asked('delete from items where id = 97')
  await decide(id, 'reject')
  const titles = async (): Promise<string[]> =>
    (await call('/api/console/events?type=config&severity=warning&limit=200')).json.data
      .filter((each: { metadata: { approval_id?: string } }) => each.metadata.approval_id === id)
      .map((each: { title: string }) => each.title)
  await waitFor('both events', async () => (await titles()).length === 2)
  assert.deepEqual((await titles()).toSorted(), [
    'Approval needed: DELETE in application',
    'Statement rejected: DELETE in application',
  ])
})

test('a group has at most 100 waiting statements', async () => {
  await asked('delete from items where id = 95')
  await it.admin(
    `insert into sql.approvals (id, group_id, kind, database, sql, is_complete, bound_hash, agent_id, policy_version,
       operations, rule, reason, preview, status, requester, expires_at)
     select gen_random_uuid(), group_id, kind, database, sql, is_complete, bound_hash, agent_id, policy_version,
       operations, rule, reason, preview, 'pending', requester || g, now() + interval '1 hour'
     from (select * from sql.approvals limit 1) a, generate_series(1, 100) g`,
    'status',
  )
  const { status, json } = await execute('delete from items where id = 96', careful)
  assert.deepEqual([status, json.error.code], [429, 'rate_limit'])
})
