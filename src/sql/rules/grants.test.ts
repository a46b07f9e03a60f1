import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { startSql } from '../testing-sql.ts'
import { hidden, makeTables, setPolicy } from './testing-rules.ts'

const it = await startSql()
await makeTables(it)
await setPolicy(it, {
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  requires_approval: ['DROP', 'CREATE TABLE'],
  masked_columns: ['email'],
  tables: { deny: ['secrets'] },
})

const give = (json: object, by = it.call) =>
  by('/api/v1/sql/grants', {
    json: { agent_id: 'data-engineer', database: 'application', minutes: 5, reason: 'a test', ...json },
  })
const revoke = (id: string) => it.call(`/api/v1/sql/grants/${id}`, { method: 'DELETE' })
const explain = async (sql: string) =>
  (await it.call('/api/v1/sql/explain-policy', { json: { database: 'application', sql } })).json
const lastLog = async () => (await it.call('/api/v1/sql/logs?limit=1')).json.data[0]

test('a grant unmasks what it names, is in the log, and is over when it is revoked', async () => {
  const { status, json: grant, text } = await give({ unmask: ['users.email'] })
  assert.equal(status, 201, text)
  assert.deepEqual([grant.status, grant.unmask, grant.given_by !== ''], ['active', ['users.email'], true])
  assert.deepEqual([(await lastLog()).status, (await lastLog()).grant_id], ['grant_changed', grant.id])
  const seen = await it.execute('select email from users where id = 1')
  assert.deepEqual(seen.json.rows, [{ email: hidden }])
  assert.deepEqual([(await lastLog()).status, (await lastLog()).grant_id], ['executed', grant.id])
  assert.equal((await explain('select email from users')).grant_id, grant.id)
  // Another column stays masked.
  assert.ok(!(await it.execute('select email from people')).text.includes(hidden))
  assert.equal((await revoke(grant.id)).status, 204)
  assert.equal((await revoke(grant.id)).status, 409)
  assert.ok(!(await it.execute('select email from users')).text.includes(hidden))
  const { json: all } = await it.call('/api/v1/sql/grants')
  assert.deepEqual([all.data[0].id, all.data[0].status], [grant.id, 'revoked'])
  assert.equal((await it.call('/api/v1/sql/logs/chain')).json.problem, null)
})

test('a grant opens a table and lets an operation run, and nothing else', async () => {
  assert.equal((await it.execute('select id from secrets')).status, 403)
  const { json: grant } = await give({ tables: ['secrets'], operations: ['CREATE TABLE'] })
  assert.equal((await it.execute('select id from secrets')).status, 200)
  assert.equal((await lastLog()).grant_id, grant.id)
  const made = await it.execute('create table granted (id int)')
  assert.equal(made.status, 200, made.text)
  assert.equal((await lastLog()).grant_id, grant.id)
  assert.equal((await it.execute('drop table granted')).status, 202)
  assert.equal((await it.execute('alter table orders add column x int')).status, 403)
  assert.equal((await it.execute('set role postgres')).status, 403)
  await revoke(grant.id)
  assert.equal((await it.execute('select id from secrets')).status, 403)
})

test('no grant lifts what prod asks for', async () => {
  await setPolicy(it, { environment: 'prod' })
  const { json: grant } = await give({ operations: ['CREATE TABLE', 'DELETE'] })
  assert.equal((await it.execute('create table other (id int)')).status, 202)
  assert.equal((await it.execute('delete from orders')).status, 202)
  await revoke(grant.id)
  await setPolicy(it, { environment: 'dev' })
})

test('a grant ends on its own', async () => {
  const { json: grant } = await give({ unmask: ['users.email'] })
  await it.admin(
    `update sql.grants set expires_at = now() - interval '1 second' where id = '${grant.id}'`,
    'status',
  )
  assert.ok(!(await it.execute('select email from users')).text.includes(hidden))
  const { json: all } = await it.call('/api/v1/sql/grants')
  assert.equal(all.data.find(({ id }: { id: string }) => id === grant.id).status, 'ended')
})

test('what is not a grant is refused, and so is who may not give one', async () => {
  for (const [json, status] of [
    [{}, 400],
    [{ unmask: ['users.email'], minutes: 0 }, 400],
    [{ unmask: ['users.email'], minutes: 10_081 }, 400],
    [{ unmask: ['tag:pii'] }, 400],
    [{ operations: ['DORP'] }, 400],
    [{ tables: ['a.b.c'] }, 400],
    [{ tables: ['users'], reason: '' }, 400],
    [{ tables: ['users'], database: 'nowhere' }, 404],
    [{ tables: ['users'], agent_id: 'nobody' }, 404],
  ] as const)
    assert.equal((await give(json)).status, status, JSON.stringify(json))
  const member = await personWith(it, 'member')
  assert.equal((await give({ tables: ['users'] }, member)).status, 403)
  const key = await keyWith(it, ['sql', 'admin'])
  assert.equal((await give({ tables: ['users'] }, key)).status, 403)
  assert.equal((await revoke('0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f')).status, 404)
})
