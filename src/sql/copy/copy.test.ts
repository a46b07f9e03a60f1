import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CopyTrial } from '../contract.ts'
import { startSql } from '../testing-sql.ts'

const it = await startSql()
const { call } = it
await it.execute('select 1')
for (const sql of [
  `create type mood as enum ('good', 'it''s bad')`,
  `create domain positive as int check (value > 0)`,
  'create table customers (id bigint generated always as identity primary key, email text collate "C" unique, mood mood)',
  `create table orders (id serial primary key, customer bigint references customers, amount int not null default 1,
     twice int generated always as (amount * 2) stored, size positive)`,
  'create table "Odd name" (id int) partition by range (id)',
  'create table odd_1 partition of "Odd name" for values from (0) to (100)',
  'create index orders_amount on orders (amount) where amount > 5',
  'create view big as select id, amount from orders where amount > 5',
  'create materialized view sums as select customer, sum(amount) as total from orders group by customer',
  `create function touch() returns trigger language plpgsql as $$ begin return new; end $$`,
  'create trigger touched before update on orders for each row execute function touch()',
  'create policy own on orders using (amount > 0)',
  `create function of_the_server() returns int language internal as 'pg_backend_pid'`,
  'insert into orders (amount) select g from generate_series(1, 30000) g',
  'analyze orders',
])
  await it.admin(sql)

const migrate = (statements: string[], more: object = {}) =>
  call('/api/v1/sql/migrate', {
    json: {
      ...{ database: 'application', name: statements[0], statements, reason: 'a test' },
      ...{ dry_run: true, trial: 'copy', ...more },
    },
  })
const tried = async (statements: string[]): Promise<CopyTrial> => {
  const { status, json, text } = await migrate(statements)
  assert.equal(status, 200, text)
  return json.copy
}
const copies = () => it.admin(`select datname from pg_database where datname like 'signalbox\\_copy\\_%'`)

test('what each statement locks, rewrites and reads is seen on a copy with the whole structure', async () => {
  const trial = await tried([
    'drop view big',
    'alter table orders alter column id type bigint',
    'alter table customers alter column email set not null',
    'create index customers_mood on customers (mood)',
    'alter table orders add column note text',
  ])
  assert.deepEqual(
    trial.left_out.map(({ what }) => what),
    ['function public.of_the_server'],
  )
  assert.ok(trial.ok && trial.objects > 20, JSON.stringify(trial))
  const [, type, notNull, index, column] = trial.statements
  assert.deepEqual(type?.rewritten, ['public.orders'])
  assert.ok(
    type.locks.some(({ relation, mode }) => relation === 'public.orders' && mode === 'AccessExclusive'),
  )
  assert.deepEqual(notNull?.scanned, ['public.customers'])
  assert.deepEqual(notNull.rewritten, [])
  assert.ok(index?.locks.some(({ relation, mode }) => relation === 'public.customers' && mode === 'Share'))
  assert.deepEqual([column?.rewritten, column?.scanned], [[], []])
  const [orders] = trial.locked.filter(({ relation }) => relation === 'public.orders')
  assert.deepEqual([orders?.mode, orders?.rows], ['AccessExclusive', 30_000])
  assert.ok((orders?.bytes ?? 0) > 1_000_000)
  assert.ok((type.estimate_ms ?? 0) > (type.duration_ms ?? 0), 'the real table has rows')
  assert.ok((orders?.estimate_ms ?? 0) >= (type.estimate_ms ?? 0), 'it stays locked until the end')
  assert.deepEqual(await copies(), [])
  const [real] = await it.admin<{ there: boolean }>(`select to_regclass('big') is not null as there`)
  assert.equal(real?.there, true)
})

test('a statement that fails on the copy is named, and those behind it are not reached', async () => {
  const trial = await tried([
    'alter table orders add column a int',
    'alter table nowhere add column a int',
    'drop view big',
  ])
  assert.equal(trial.ok, false)
  assert.deepEqual(
    trial.statements.map(({ error, duration_ms }) => [error, duration_ms === null]),
    [
      [null, false],
      ['relation "nowhere" does not exist', false],
      [null, true],
    ],
  )
  assert.deepEqual(await copies(), [])
})

test('changes of rows have no estimate: a copy has none', async () => {
  const { statements } = await tried([`update orders set amount = 2 where id < 10`])
  assert.equal(statements[0]?.estimate_ms, null)
})

test('a migration that asks for approval shows both trials', async () => {
  await it.execute('create table of_agents (id int)')
  const asked = await migrate(['alter table of_agents add column note text'], { dry_run: false })
  assert.equal(asked.status, 202, asked.text)
  const [row] = (await call('/api/v1/sql/migrations?state=waiting')).json.data
  const { copy, preview } = (await call(`/api/v1/sql/migrations/${row.id}`)).json
  assert.equal(copy.ok, true)
  assert.deepEqual(preview.effect.altered, ['public.of_agents'])
})

test('the policy judges before anything is copied', async () => {
  const refused = await migrate(["select pg_read_file('/etc/passwd')"])
  assert.equal(refused.status, 403)
  assert.equal((await migrate(['select 1'], { trial: 'elsewhere' })).status, 400)
})

test('the role of a copy owns nothing else and is gone with it', async () => {
  const roles = await it.admin(`select from pg_roles where rolname like 'signalbox\\_copy\\_%'`)
  assert.equal(roles.length, 0)
})
