import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommands } from './harness/commands.ts'
import { connectTo } from './harness/embedded-client.ts'
import { runCommand, spawnProduct, type RunningProcess } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const dataDir = temporaryFolder()
const environment = { DATA_DIR: dataDir }
const run = startCommands()

const execute = (server: RunningProcess, sql: string, more: object = {}) =>
  server.call('/api/v1/sql/execute', { json: { database: 'application', sql, reason: 'a test', ...more } })

const connect = (database: string) => connectTo(environment, database)

test('a statement whose process was killed before its outcome was recorded is settled as unknown by the next start', async () => {
  const first = await spawnProduct(environment)
  await execute(first, 'create table t (id int)')
  const [application, status] = [await connect('application'), await connect('status')]
  await application.query('begin; lock table t in access exclusive mode')
  const cut = execute(first, 'insert into t values (1)').catch(() => undefined)
  await waitFor('the statement to wait for the table', async () => {
    const { rows } = await status.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = 'application'`,
    )
    return rows.length > 0
  })
  // From here on nothing can be added to the audit log.
  await status.query('begin; select from sql.audit_heads for update')
  await application.query('commit')
  await waitFor('the statement to be committed', async () => {
    const { rows } = await application.query('select from t')
    return rows.length === 1
  })
  const holder = (await status.query('select pg_backend_pid() as pid')).rows[0].pid
  await first.end('SIGKILL')
  await cut
  // The outcome may be on its way already, waiting for the lock: it must not arrive.
  // Asked outside the transaction, which sees the list as it was.
  await waitFor('the connections of the killed process to end', async () => {
    const { rows } = await application.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = 'status' and pid <> $1 and backend_type = 'client backend'`,
      [holder],
    )
    return rows.length === 0
  })
  await Promise.all([application.end(), status.end()])

  const second = await spawnProduct(environment)
  const { json } = await second.call('/api/v1/sql/logs?limit=1')
  assert.deepEqual([json.data[0].status, json.data[0].sql], ['unknown', 'insert into t values (1)'])
  assert.match(json.data[0].error, /may or may not/)
  assert.match(second.output(), /the outcome of a statement is unknown/)
  assert.deepEqual((await execute(second, 'select * from t')).json.rows, [{ id: 1 }])

  const verified = await runCommand(['audit', 'verify'], environment)
  assert.deepEqual([verified.code, verified.stderr], [0, ''])
  const head = /\d+:[0-9a-f]{64}/.exec(verified.stdout)?.[0] ?? ''
  await execute(second, 'select 1')
  assert.equal((await run(['audit', 'verify', '--head', head], environment)).code, 0)

  // Approved from the command line, in the name of the local owner.
  const paused = (await execute(second, 'drop table t')).json
  const pending = await runCommand(['sql', 'pending'], environment)
  assert.match(pending.stdout, new RegExp(`${paused.approval_id}.*application.*DROP TABLE`))
  assert.match((await run(['sql', 'show', paused.approval_id], environment)).stdout, /drop table t/)
  assert.equal((await run(['sql', 'approve', 'x'], environment)).code, 2)
  const approve = ['sql', 'approve', paused.approval_id, '--note', 'seen']
  assert.equal((await run([...approve, '--as', 'nobody@example.com'], environment)).code, 2)
  const approved = await runCommand([...approve, '--json'], environment)
  assert.equal(approved.code, 0, approved.stderr)
  assert.equal(JSON.parse(approved.stdout).decided_by, 'owner@localhost, command line')
  assert.equal((await run(approve, environment)).code, 1)
  const dropped = await execute(second, 'drop table t', { approval_id: paused.approval_id })
  assert.equal(dropped.status, 200)

  // An operator who changes an entry, and all hashes after it, is found by the head that was noted before.
  const tampering = await connect('status')
  await tampering.query(
    `set session_replication_role = replica; update sql.audit set reason = 'x' where seq = 1`,
  )
  await tampering.end()
  const broken = await run(['audit', 'verify'], environment)
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, /Entry 1 was changed/)
  const lost = await run(['audit', 'verify', '--head', `1:${'0'.repeat(64)}`], environment)
  assert.match(lost.stdout, /No chain has this hash/)
})
