import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keyWith, personWith, type Ask } from '#test/people'
import { startSql } from '../testing-sql.ts'

const it = await startSql()
const { call } = it
const member = await personWith(it, 'member')
const key = await keyWith(it, ['sql'])

const policy = { allowed_databases: ['application'], environment: 'dev' }
const makeAgent = (id: string, allowed_operations: string[], requires_approval: string[]) =>
  call('/api/agents', {
    json: {
      id,
      name: id,
      model: 'm',
      config: { policy: { ...policy, allowed_operations, requires_approval } },
    },
  })
const operations = ['CREATE', 'DROP', 'ALTER TABLE', 'INSERT', 'DELETE']
await makeAgent('builder', ['SELECT', ...operations], [])
await makeAgent('careful', ['SELECT'], operations)

const migrate = (name: string, statements: string[], more: object = {}, by: Ask = call) =>
  by('/api/v1/sql/migrate', {
    json: { database: 'application', agent_id: 'builder', name, statements, reason: `for ${name}`, ...more },
  })
const listed = async (query = '', by: Ask = call) => (await by(`/api/v1/sql/migrations?${query}`)).json.data
const named = async (name: string, by: Ask = call) => (await listed(`q=${name}`, by))[0]
const detail = async (name: string) => (await call(`/api/v1/sql/migrations/${(await named(name)).id}`)).json
const rollBack = async (name: string, more: object = {}) =>
  call(`/api/v1/sql/migrations/${(await named(name)).id}/rollback`, {
    json: { reason: 'a mistake', ...more },
  })
const decide = (id: string, verb: string) => call(`/api/v1/sql/approvals/${id}/${verb}`, { json: {} })
const inDatabase = async (name: string): Promise<boolean> =>
  (await it.admin(`select from signalbox_migrations where name = '${name}'`)).length === 1

test('a migration is in the list with what became of it, and in detail with what it did', async () => {
  const statements = ['create table notes (id int primary key)', 'insert into notes values (1), (2)']
  const checks = ['select count(*) as n from notes']
  assert.equal((await migrate('notes', statements, { checks })).status, 200)
  const failing = await migrate('broken', ['create table half (id int)', 'insert into nowhere values (1)'])
  assert.equal(failing.status, 400)
  const asked = await migrate('waits', ['drop table notes'], { agent_id: 'careful' })
  assert.equal(asked.status, 202, asked.text)
  const refused = await migrate('no', ['create table refused (id int)'], { agent_id: 'careful' })
  await decide(refused.json.approval_id, 'reject')
  const states = (await listed()).map((each: { name: string; state: string }) => [each.name, each.state])
  assert.deepEqual(states, [
    ['no', 'rejected'],
    ['waits', 'waiting'],
    ['broken', 'failed'],
    ['notes', 'applied'],
  ])
  const notes = await detail('notes')
  assert.deepEqual(notes.statements, statements)
  assert.deepEqual(notes.result.effect.created, ['public.notes', 'public.notes_pkey'])
  assert.deepEqual(notes.result.checks[0].after, [{ n: 2 }])
  assert.ok(notes.duration_ms > 0 && notes.audit_id && notes.applied_at)
  const broken = await detail('broken')
  assert.match(broken.error, /^Statement 2 of 2: Relation "nowhere" does not exist/)
  assert.equal(broken.applied_at, null)
  const waits = await detail('waits')
  assert.equal(waits.preview.effect.dropped[0], 'public.notes')
  assert.equal(waits.approval_id, asked.json.approval_id)
  assert.ok(waits.preview.locks.some(({ mode }: { mode: string }) => mode === 'AccessExclusive'))
  await decide(asked.json.approval_id, 'approve')
  assert.equal((await named('waits')).state, 'approved')
  const run = await call(`/api/v1/sql/approvals/${asked.json.approval_id}/run`, { method: 'POST' })
  assert.equal(run.status, 200, run.text)
  const after = await named('waits')
  assert.deepEqual([after.state, after.decided_by], ['applied', 'owner@localhost'])
})

test('filters and pages leave nothing out', async () => {
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
  assert.deepEqual(names(await listed('state=failed')), ['broken'])
  assert.deepEqual(names(await listed('agent_id=careful')), ['no', 'waits'])
  assert.deepEqual(names(await listed('database=calendar')), [])
  const seen: string[] = []
  let cursor = ''
  do {
    const { json } = await call(`/api/v1/sql/migrations?limit=1${cursor}`)
    seen.push(...names(json.data))
    cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`
  } while (cursor !== '')
  assert.deepEqual(seen, ['no', 'waits', 'broken', 'notes'])
  for (const query of ['cursor=x', 'limit=0', 'state=done', 'approval_id=1'])
    assert.equal((await call(`/api/v1/sql/migrations?${query}`)).status, 400, query)
})

test('a key sees what it asked for, people what their group asked for, and nobody another group’s', async () => {
  assert.equal((await migrate('by-key', ['create table by_key (id int)'], {}, key)).status, 200)
  assert.deepEqual(
    (await listed('', key)).map(({ name }: { name: string }) => name),
    ['by-key'],
  )
  const own = (await named('by-key')).id
  const others = (await named('notes')).id
  assert.equal((await key(`/api/v1/sql/migrations/${own}`)).status, 200)
  assert.equal((await key(`/api/v1/sql/migrations/${others}`)).status, 404)
  assert.equal((await member(`/api/v1/sql/migrations/${others}`)).status, 200)
  const group = (await call('/api/v1/groups', { json: { name: 'other' } })).json.id
  const outside = `/api/v1/sql/migrations/${others}`
  assert.equal((await call(`${outside}?group_id=${group}`)).status, 404)
  const json = { reason: 'a mistake' }
  assert.equal((await call(`${outside}/rollback?group_id=${group}`, { json })).status, 404)
  assert.equal((await key(`${outside}/rollback`, { json })).status, 404)
  assert.equal((await call(`/api/v1/sql/migrations/${randomUUID()}`)).status, 404)
})

test('what the database lists and nobody asked for here is applied elsewhere', async () => {
  await it.admin(
    `insert into signalbox_migrations values ('by-hand', repeat('a', 64), '2026-01-02T03:04:05Z', 'somebody')`,
  )
  const found = (await listed('database=application')).find(
    ({ name }: { name: string }) => name === 'by-hand',
  )
  assert.deepEqual(
    [found.state, found.is_elsewhere, found.requested_by, found.applied_at],
    ['applied', true, 'somebody', '2026-01-02T03:04:05.000Z'],
  )
  const { rollback, rollback_reason } = await detail('by-hand')
  assert.equal(rollback, null)
  assert.match(rollback_reason, /^No way back was given/)
  assert.equal((await rollBack('by-hand')).status, 409)
})

test('a migration is rolled back by the way that came with it, and may run again', async () => {
  const statements = ['create table back (id int)', 'insert into back values (1)']
  const rollback = ['drop table back']
  assert.equal((await migrate('back', statements, { rollback })).status, 200)
  const trial = await rollBack('back', { dry_run: true })
  assert.deepEqual([trial.status, trial.json.preview.effect.dropped], [200, ['public.back']], trial.text)
  assert.equal(await inDatabase('back'), true)
  const done = await rollBack('back')
  assert.deepEqual([done.status, done.json.status], [200, 'executed'], done.text)
  assert.equal(await inDatabase('back'), false)
  const row = await named('back')
  assert.deepEqual([row.state, row.rolled_back_by], ['rolled_back', 'owner@localhost'])
  assert.equal((await rollBack('back')).status, 409)
  assert.equal((await migrate('back', statements, { rollback })).json.status, 'executed')
  assert.equal((await named('back')).state, 'applied')
})

test('later migrations are rolled back first', async () => {
  const rollback = (table: string) => ({ rollback: [`drop table ${table}`] })
  await migrate('first', ['create table first_one (id int)'], rollback('first_one'))
  await migrate('second', ['create table second_one (id int)'], rollback('second_one'))
  const refused = await rollBack('first')
  assert.equal(refused.status, 409)
  assert.match(refused.json.error.message, /Roll these back first, the latest one first: second\.$/)
  assert.equal((await rollBack('second')).status, 200)
  assert.equal((await rollBack('first')).status, 200)
})

test('without a way back, new tables go only while they are empty; anything else stays', async () => {
  const name = 'derived'
  await migrate(name, [
    'create table "Odd name" (id serial primary key)',
    'create index odd on "Odd name" (id)',
  ])
  const { rollback } = await detail(name)
  assert.deepEqual(rollback, { statements: ['DROP TABLE "public"."Odd name"'], is_derived: true })
  await it.admin('insert into "Odd name" default values')
  const refused = await rollBack(name)
  assert.equal(refused.status, 409)
  assert.match(refused.json.error.message, /has rows by now/)
  await it.admin('delete from "Odd name"')
  assert.equal((await rollBack(name)).status, 200)
  await migrate('column', ['alter table notes_two add column n int'])
  await migrate('notes-two', ['create table notes_two (id int)', 'insert into notes_two values (1)'])
  assert.match((await detail('notes-two')).rollback_reason, /^No way back was given/)
})

test('a way back is judged when it is used, whatever was allowed before', async () => {
  const hostile = [
    'delete from signalbox_migrations',
    'truncate notes_two',
    "select pg_read_file('/etc/passwd')",
    "do $$ begin execute 'drop table notes_two'; end $$",
  ]
  for (const [at, sql] of hostile.entries()) {
    const applied = await migrate(`hostile-${at}`, [`create table hostile_${at} (id int)`], {
      rollback: [sql],
    })
    assert.equal(applied.status, 200, applied.text)
    const answer = await rollBack(`hostile-${at}`)
    assert.deepEqual([answer.status, answer.json.error?.code], [403, 'policy_violation'], answer.text)
    assert.equal(await inDatabase(`hostile-${at}`), true)
  }
  const unreadable = await migrate('unreadable', ['create table u (id int)'], { rollback: ['drop tabel u'] })
  assert.deepEqual([unreadable.status, unreadable.json.error.code], [400, 'sql_error'])
  assert.equal(await inDatabase('unreadable'), false)
})

test('a rollback that needs approval waits for a person, and runs from the approval', async () => {
  const rollback = ['drop table slow_back']
  const asked = await migrate('slow-back', ['create table slow_back (id int)'], {
    rollback,
    agent_id: 'careful',
  })
  await decide(asked.json.approval_id, 'approve')
  await call(`/api/v1/sql/approvals/${asked.json.approval_id}/run`, { method: 'POST' })
  const waiting = await rollBack('slow-back')
  assert.equal(waiting.status, 202, waiting.text)
  const { approval_id } = waiting.json
  assert.equal((await detail('slow-back')).rollback_approval_id, approval_id)
  assert.deepEqual(
    (await listed(`approval_id=${approval_id}`)).map(({ name }: { name: string }) => name),
    ['slow-back'],
  )
  assert.equal((await rollBack('slow-back', { approval_id })).status, 202)
  await decide(approval_id, 'approve')
  const run = await call(`/api/v1/sql/approvals/${approval_id}/run`, { method: 'POST' })
  assert.deepEqual([run.status, run.json.status], [200, 'executed'], run.text)
  assert.equal((await named('slow-back')).state, 'rolled_back')
})

test('of two rollbacks at once one happens', async () => {
  await migrate('twice', ['create table twice (id int)'], { rollback: ['drop table twice'] })
  const answers = await Promise.all([rollBack('twice'), rollBack('twice')])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  )
  const row = await named('twice')
  assert.equal(row.state, 'rolled_back')
})

test('a way back with a secret is not stored', async () => {
  const rollback = ["alter role somebody password 'hunter2'"]
  assert.equal((await migrate('secret', ['create table secret_one (id int)'], { rollback })).status, 200)
  const row = await detail('secret')
  assert.equal(JSON.stringify(row).includes('hunter2'), false)
  assert.equal(row.rollback.is_derived, true)
})
