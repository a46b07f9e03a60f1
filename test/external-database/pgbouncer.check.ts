import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { startExternalServer } from '#test/external-server'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { runAs } from '../../src/kernel/db/run-as.ts'
import { startSql } from '../../src/sql/testing-sql.ts'
import { freePort } from '../harness/free-port.ts'

/*
 * A database behind PgBouncer in transaction mode. Where PgBouncer is not installed, nothing is tested. Run by
 * `npm run sql:pgbouncer`.
 */
const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0
const skip = isInstalled ? false : 'pgbouncer is not installed'

async function startPool(serverPort: number, users: string): Promise<number> {
  const folder = temporaryFolder()
  chmodSync(folder, 0o711)
  const port = await freePort()
  const [config, file] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  writeFileSync(file, `"superuser" "pw-superuser"\n"shop" "pw-shop"\n`)
  writeFileSync(
    config,
    `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
auth_type = scram-sha-256\nauth_file = ${file}\n${users}\npool_mode = transaction\ndefault_pool_size = 4\nunix_socket_dir =\n`,
  )
  for (const each of [config, file]) chmodSync(each, 0o644)
  const child = spawn('pgbouncer', [config], { stdio: 'ignore', ...runAs() })
  after(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGINT')) await ended
  })
  await waitFor('the pool', async () => {
    const client = new pg.Client(`postgresql://shop:pw-shop@127.0.0.1:${port}/shop`)
    client.on('error', () => undefined)
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return port
}

test(
  'behind PgBouncer in transaction mode a set-up, changes, migrations and undo work',
  { skip },
  async () => {
    const server = await startExternalServer()
    await server.ask('postgres', `create role shop login createrole password 'pw-shop'`)
    await server.ask('postgres', 'create database shop owner shop')
    await server.ask(
      server.urlOf('shop', 'pw-shop', 'shop'),
      'create table orders (id int primary key, amount numeric); insert into orders select g, g from generate_series(1, 4) g',
    )
    const it = await startSql()
    const list = '/api/v1/sql/databases'
    const policy = {
      allowed_databases: ['known', 'unknown'],
      allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER TABLE', 'DROP'],
      requires_approval: [],
      environment: 'dev',
    }
    await it.call('/api/agents', { json: { id: 'free', name: 'free', model: 'm', config: { policy } } })

    // The pool does not know the new roles: a clear refusal, and nothing is left behind.
    const strict = await startPool(server.port, '')
    const through = (port: number): string =>
      server.urlOf('shop', 'pw-shop', 'shop').replace(String(server.port), String(port))
    await it.call(list, { json: { name: 'unknown', url: through(strict) } })
    const refused = await it.call(`${list}/unknown/setup`, { json: {} })
    assert.equal(refused.status, 409, refused.text)
    assert.match(
      refused.json.error.message,
      /behind PgBouncer, use auth_query or add the roles to its auth_file/,
    )
    assert.deepEqual(
      await server.ask('shop', `select rolname from pg_roles where rolname like '%unknown%'`),
      [],
    )

    // It asks the server for the roles.
    const asking = await startPool(
      server.port,
      'auth_user = superuser\nauth_query = SELECT usename, passwd FROM pg_shadow WHERE usename=$1',
    )
    await it.call(list, { json: { name: 'known', url: through(asking) } })
    const done = await it.call(`${list}/known/setup`, { json: {} })
    assert.equal(done.status, 200, done.text)
    const shared = { database: 'known', agent_id: 'free', reason: 'a test' }
    const run = (sql: string) => it.call('/api/v1/sql/execute', { json: { ...shared, sql } })
    assert.equal((await run('alter table orders add column note text')).status, 200)
    const calls = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        run(`update orders set note = '${at}' where id = ${(at % 4) + 1}`),
      ),
    )
    assert.deepEqual(
      calls.map(({ status }) => status).filter((status) => status !== 200),
      [],
    )
    const migrated = await it.call('/api/v1/sql/migrate', {
      json: {
        ...shared,
        name: 'm',
        statements: ['create table carts (id int primary key)', 'insert into carts values (1)'],
      },
    })
    assert.equal(migrated.json.status, 'executed', migrated.text)
    const removed = await run('delete from orders where id <= 2')
    const undone = await it.call(`/api/v1/sql/logs/${removed.json.audit_id}/undo`, { json: { reason: 'x' } })
    assert.deepEqual([undone.status, undone.json.rows_affected], [200, 2], undone.text)
    // What a statement of one call sets is not there for the next.
    const { json } = await run(
      `select current_setting('role') as role, current_setting('transaction_read_only') as read_only`,
    )
    assert.deepEqual(json.rows, [{ role: 'none', read_only: 'on' }])
  },
)
