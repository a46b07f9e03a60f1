import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectTo } from './harness/embedded-client.ts'
import { spawnProduct, type RunningProcess } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const environment = { DATA_DIR: temporaryFolder() }

const execute = (server: RunningProcess, sql: string, more: object = {}) =>
  server.call('/api/v1/sql/execute', { json: { database: 'application', sql, reason: 'a test', ...more } })
const undo = (server: RunningProcess, id: string) =>
  server.call(`/api/v1/sql/logs/${id}/undo`, { json: { reason: 'a mistake' } })

/** A deletion that a person approved and ran; returns its ID in the audit log. */
async function deleteAll(server: RunningProcess): Promise<string> {
  const { config } = (await server.call('/api/agents/data-engineer')).json
  const policy = { ...config.policy, environment: 'staging' }
  const json = { config: { ...config, policy } }
  await server.call('/api/agents/data-engineer', { method: 'PATCH', json })
  const { approval_id } = (await execute(server, 'delete from orders')).json
  await server.call(`/api/v1/sql/approvals/${approval_id}/approve`, { json: {} })
  return (await execute(server, 'delete from orders', { approval_id })).json.audit_id
}

test('an undo whose process was killed before its commit is not shown as done, and can be tried again', async () => {
  const first = await spawnProduct(environment)
  await execute(first, 'create table customers (id int primary key)')
  await execute(
    first,
    'create table orders (id int primary key, customer int references customers deferrable initially deferred)',
  )
  await execute(first, 'insert into customers values (1)')
  await execute(first, 'insert into orders values (1, 1), (2, 1)')
  const id = await deleteAll(first)
  assert.ok(id)

  // The commit checks the reference, and waits here: the undo is marked and not committed.
  const application = await connectTo(environment, 'application')
  // Another connection: a transaction sees the list of activities as it was.
  const watching = await connectTo(environment, 'application')
  await application.query('begin; select from customers for update')
  const cut = undo(first, id).catch(() => undefined)
  await waitFor('the commit of the undo to wait', async () => {
    const { rows } = await watching.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query ilike 'commit%'`,
    )
    return rows.length > 0
  })
  await first.end('SIGKILL')
  await cut
  await watching.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'commit%' and pid <> pg_backend_pid()`,
  )
  await application.query('commit')
  await Promise.all([application.end(), watching.end()])

  const second = await spawnProduct(environment)
  assert.deepEqual((await execute(second, 'select * from orders')).json.rows, [])
  const { json: offer } = await second.call(`/api/v1/sql/logs/${id}/undo`)
  assert.equal(offer.undone_at, null)
  const again = await undo(second, id)
  assert.deepEqual([again.status, again.json.rows_affected], [200, 2], again.text)
  assert.notEqual((await second.call(`/api/v1/sql/logs/${id}/undo`)).json.undone_at, null)
  assert.equal((await undo(second, id)).status, 409)
})
