import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSql } from '../testing-sql.ts'

const it = await startSql()
// A change without WHERE waits for approval in staging; restoring rows by INSERT or UPDATE with WHERE does not.
const agent = (await it.call('/api/agents/data-engineer')).json
await it.call('/api/agents/data-engineer', {
  method: 'PATCH',
  json: { config: { ...agent.config, policy: { ...agent.config.policy, environment: 'staging' } } },
})
await it.execute('create table orders (id int primary key, amount numeric)')
await it.execute('insert into orders select g, g * 10 from generate_series(1, 5) g')

/** A change that a person approved and ran; returns its ID in the audit log. */
async function approved(sql: string, more: object = {}): Promise<string> {
  const asked = await it.execute(sql, more)
  assert.equal(asked.status, 202, asked.text)
  const { approval_id } = asked.json
  assert.equal((await it.call(`/api/v1/sql/approvals/${approval_id}/approve`, { json: {} })).status, 200)
  const done = await it.execute(sql, { ...more, approval_id })
  assert.equal(done.status, 200, done.text)
  return done.json.audit_id
}

const undo = (id: string, more: object = {}) =>
  it.call(`/api/v1/sql/logs/${id}/undo`, { json: { reason: 'a mistake', ...more } })
const rows = () => it.admin('select id, amount::text from orders order by id')

test('an approved change is undone once, and the audit log has it', async () => {
  const before = await rows()
  const id = await approved('delete from orders')
  const { json: offer } = await it.call(`/api/v1/sql/logs/${id}/undo`)
  assert.deepEqual([offer.table, offer.operation, offer.row_count], ['public.orders', 'DELETE', 5])
  const trial = await undo(id, { dry_run: true })
  assert.deepEqual([trial.json.status, trial.json.rows_affected], ['dry_run', 5])
  const done = await undo(id)
  assert.deepEqual([done.status, done.json.rows_affected], [200, 5], done.text)
  assert.deepEqual(await rows(), before)
  assert.equal((await undo(id)).status, 409)
  const { json: log } = await it.call('/api/v1/sql/logs?limit=1')
  assert.equal(log.data[0].kind, 'undo')
})

test('nothing is undone where a row was changed since', async () => {
  const id = await approved('update orders set amount = 0')
  await it.execute('update orders set amount = 7 where id = 2')
  const before = await rows()
  const refused = await undo(id)
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'conflict'])
  assert.deepEqual(await rows(), before)
})

test('the trial of an undo says how many rows could not be restored', async () => {
  await it.execute('update orders set amount = id where id > 0')
  const id = await approved('update orders set amount = 1')
  await it.execute('update orders set amount = 7 where id = 2')
  const trial = await undo(id, { dry_run: true })
  assert.equal(trial.status, 409, trial.text)
  assert.match(trial.json.error.message, /^Only 4 of 5 rows/)
  await it.execute('update orders set amount = 1 where id = 2')
  assert.deepEqual((await undo(id, { dry_run: true })).json.rows_affected, 5)
})

test('two undos at once: one restores the rows, the others conflict', async () => {
  const statuses = async (id: string): Promise<number[]> =>
    (await Promise.all([undo(id), undo(id), undo(id)])).map(({ status }) => status).toSorted((a, b) => a - b)
  const before = await rows()
  assert.deepEqual(await statuses(await approved('delete from orders')), [200, 409, 409])
  assert.deepEqual(await rows(), before)
  // Rows that the change left as they were: only the mark tells the undos apart.
  assert.deepEqual(await statuses(await approved('update orders set amount = amount')), [200, 409, 409])
  const id = await approved('delete from orders')
  await it.execute('insert into orders values (2, 2)')
  const refused = await undo(id)
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'conflict'], refused.text)
  await it.execute('delete from orders where id = 2')
  assert.equal((await undo(id)).status, 200)
  assert.deepEqual(await rows(), before)
})

test('nobody is asked to approve half of an undo', async () => {
  const { config } = (await it.call('/api/agents/data-engineer')).json
  const policy = { ...config.policy, requires_approval: ['UPDATE'] }
  const body = { id: 'asks', name: 'asks', model: 'm', config: { ...config, policy, mcp_servers: {} } }
  assert.equal((await it.call('/api/agents', { json: body })).status, 201)
  const id = await approved('update orders set amount = 3', { agent_id: 'asks' })
  await it.execute('update orders set amount = 8 where id = 2')
  const refused = await undo(id)
  assert.deepEqual([refused.status, refused.json.error?.code], [409, 'conflict'], refused.text)
  await it.execute('update orders set amount = 3 where id = 2')
  assert.equal((await undo(id)).status, 202)
})

test('rows that are kept are sealed: no table of ours shows them', async () => {
  await it.execute(`insert into orders values (77, 123456.789)`)
  await approved('update orders set amount = 1')
  const tables = await it.admin<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('sql', 'vault')`,
    'status',
  )
  for (const { name } of tables) {
    const found = await it.admin(
      `select from ${name} t where to_jsonb(t)::text like '%123456.789%' and to_jsonb(t)::text not like '%insert into orders%'`,
      'status',
    )
    assert.equal(found.length, 0, name)
  }
})

test('a change that nobody had to approve can be undone; one that cannot says why', async () => {
  const before = await rows()
  const plain = await it.execute('delete from orders where id = 1')
  assert.equal((await undo(plain.json.audit_id)).status, 200)
  assert.deepEqual(await rows(), before)
  const returning = await it.execute('update orders set amount = amount where id = 1 returning id')
  const { json: offer } = await it.call(`/api/v1/sql/logs/${returning.json.audit_id}/undo`)
  assert.deepEqual([offer.table, offer.row_count], [null, 0])
  assert.match(offer.reason, /RETURNING/)
  const refused = await undo(returning.json.audit_id)
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'conflict'])
  assert.match(refused.json.error.message, /cannot be undone. It has RETURNING/)
})

test('another group, an unknown ID and a query have nothing to undo', async () => {
  const id = await approved('delete from orders')
  const other = (await it.call('/api/v1/groups', { json: { name: 'Other' } })).json
  const headers = { 'x-group-id': other.id as string }
  const foreign = await it.call(`/api/v1/sql/logs/${id}/undo`, { json: { reason: 'x' }, headers })
  assert.equal(foreign.status, 404)
  assert.equal((await undo('0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f')).status, 404)
  const query = await it.execute('select 1 as one')
  assert.equal((await undo(query.json.audit_id)).status, 404)
})
