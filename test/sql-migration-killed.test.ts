import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { connectTo } from './harness/embedded-client.ts'
import { spawnProduct, type RunningProcess } from './harness/process.ts'
import { temporaryFolder, type Answer } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const environment = { DATA_DIR: temporaryFolder() }

const statements = [
  'create table half (id int primary key, parent int references parents deferrable initially deferred)',
  'insert into half select g, 1 from generate_series(1, 3) g',
  'delete from olds',
  'create index olds_id on olds (id)',
]

const migrate = (server: RunningProcess, database: string, name: string): Promise<Answer> =>
  server.call('/api/v1/sql/migrate', { json: { database, name, statements, reason: 'a test' } })

/** What there is of the migration: its table, the rows it deletes, its index, its entry in the list. */
async function traces(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(
    `select to_regclass('half') is not null as made, (select count(*)::int from olds) as olds,
       to_regclass('olds_id') is not null as indexed,
       (select count(*)::int from signalbox_migrations) as listed`,
  )
  return Object.values(rows[0])
}
const absent = [false, 2, false, 0]
const whole = [true, 0, true, 1]

/** Kills the server when this many of its sessions wait for what the test holds, and lets them continue without it. */
async function killWaiting(server: RunningProcess, count: number, holders: pg.Client[]): Promise<void> {
  // In a transaction the list of sessions stays as it was.
  const looking = await connectTo(environment, 'postgres')
  const waiting = async (condition: string): Promise<number> =>
    (await looking.query(`select from pg_stat_activity where ${condition}`)).rowCount ?? 0
  await waitFor('the migrations to wait', async () => (await waiting(`wait_event_type = 'Lock'`)) === count)
  const own: number[] = []
  for (const holder of holders) own.push((await holder.query('select pg_backend_pid() as pid')).rows[0].pid)
  await server.end('SIGKILL')
  for (const holder of holders) await holder.query('commit')
  await waitFor(
    'the sessions of the killed server to end',
    async () =>
      (await waiting(`datname in ('application', 'calendar') and pid not in (${own.join(', ')})`)) === 0,
  )
  await looking.end()
}

test('a migration whose process is killed is whole or absent, wherever it was', async () => {
  const first = await spawnProduct(environment)
  for (const database of ['application', 'calendar'])
    for (const sql of [
      'create table parents (id int primary key)',
      'create table olds (id int)',
      'insert into parents values (1)',
      'insert into olds values (1), (2)',
    ]) {
      const { status, text } = await first.call('/api/v1/sql/execute', {
        json: { database, sql, reason: 'a test' },
      })
      assert.equal(status, 200, text)
    }
  const holders = [
    await connectTo(environment, 'application'),
    await connectTo(environment, 'calendar'),
  ] as const
  const [application, calendar] = holders

  // One in the middle of its statements, one behind it that has not begun, one at its entry in the list.
  await application.query('begin; lock table olds in share mode')
  await calendar.query('begin; lock table signalbox_migrations in share mode')
  const cut = [
    migrate(first, 'application', 'middle'),
    migrate(first, 'application', 'behind'),
    migrate(first, 'calendar', 'entry'),
  ].map((call) => call.catch(() => undefined))
  await killWaiting(first, 3, [...holders])
  await Promise.all(cut)
  for (const client of holders) assert.deepEqual(await traces(client), absent)
  for (const client of holders) await client.end()

  // One in its COMMIT, where PostgreSQL checks the references.
  const second = await spawnProduct(environment)
  const holder = await connectTo(environment, 'application')
  await holder.query('begin; select from parents for update')
  const committed = migrate(second, 'application', 'middle').catch(() => undefined)
  await killWaiting(second, 1, [holder])
  await committed
  assert.deepEqual(await traces(holder), whole)
  await holder.end()

  const third = await spawnProduct(environment)
  // The list of each database says what became of them.
  const states = await waitFor('the migrations to be settled', async () => {
    const { data } = (await third.call('/api/v1/sql/migrations')).json
    const found = data.map(({ name, state }: { name: string; state: string }) => `${name}: ${state}`)
    return !found.some((each: string) => each.endsWith('unknown')) && found
  })
  assert.deepEqual(states.toSorted(), ['behind: failed', 'entry: failed', 'middle: applied'])
  assert.equal((await migrate(third, 'application', 'middle')).json.status, 'already_applied')
  assert.equal((await migrate(third, 'calendar', 'entry')).json.status, 'executed')
  const { json } = await third.call('/api/v1/sql/logs?limit=50')
  const unknown = json.data.filter((each: { status: string }) => each.status === 'unknown')
  assert.equal(unknown.length, 4)
})
