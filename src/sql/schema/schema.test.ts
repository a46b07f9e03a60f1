import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import type { DatabaseSchema, SchemaRelation } from '../contract.ts'
import { startSql } from '../testing-sql.ts'

const it = await startSql()
const schemaOf = (database = 'application', query = '', by = it.call) =>
  by(`/api/v1/sql/databases/${database}/schema?fresh=true${query}`)
const read = async (database?: string): Promise<DatabaseSchema> => (await schemaOf(database)).json
const relation = async (name: string): Promise<SchemaRelation | undefined> =>
  (await read()).relations.find((each) => each.name === name)

await it.execute('create table users (id int primary key, email text not null unique)')
await it.execute(
  `create table orders (id bigint primary key, user_id int references users, total numeric(10,2), "Note" jsonb)`,
)
await it.execute('create index orders_by_total on orders (total) where total > 0')
await it.execute('insert into orders select g, null, g from generate_series(1, 50) g')
await it.admin(
  'analyze orders; create view open_orders as select id, total from orders; grant select on open_orders to public',
)

test('a table has its columns, keys, indexes, estimated rows and size', async () => {
  const { bytes, ...orders } = (await relation('orders')) ?? {}
  assert.deepEqual(orders, {
    schema: 'public',
    name: 'orders',
    kind: 'table',
    rows_estimate: 50,
    columns: [
      { name: 'id', type: 'bigint', is_nullable: false },
      { name: 'user_id', type: 'integer', is_nullable: true },
      { name: 'total', type: 'numeric(10,2)', is_nullable: true },
      { name: 'Note', type: 'jsonb', is_nullable: true },
    ],
    keys: [
      { name: 'orders_pkey', kind: 'primary', columns: ['id'], references: null },
      {
        name: 'orders_user_id_fkey',
        kind: 'foreign',
        columns: ['user_id'],
        references: { schema: 'public', name: 'users', columns: ['id'] },
      },
    ],
    indexes: [
      {
        name: 'orders_by_total',
        is_unique: false,
        definition: 'btree (total) WHERE (total > (0)::numeric)',
      },
      { name: 'orders_pkey', is_unique: true, definition: 'btree (id)' },
    ],
  })
  // A page of the table, one of each index, and the file of large values.
  assert.ok(bytes !== null && bytes !== undefined && bytes >= 3 * 8192, `${bytes}`)
  const users = await relation('users')
  assert.deepEqual([users?.rows_estimate, users?.keys.map(({ kind }) => kind)], [null, ['primary', 'unique']])
  const view = await relation('open_orders')
  assert.deepEqual([view?.kind, view?.rows_estimate, view?.bytes], ['view', null, null])
})

test('what agents may not read is not there, and no key names it', async () => {
  await it.admin(`create schema hidden; create table hidden.secrets (id int primary key);
    create table payments (id int primary key, secret_id int references hidden.secrets, iban text);
    grant select (id, secret_id) on payments to public; create table closed (id int)`)
  await it.admin('revoke all on closed from public')
  const { text, json } = await schemaOf()
  assert.doesNotMatch(text, /hidden|secrets|iban|"closed"/)
  const payments = (json.relations as SchemaRelation[]).find(({ name }) => name === 'payments')
  assert.deepEqual(
    [payments?.columns.map(({ name }) => name), payments?.keys.map(({ name }) => name)],
    [['id', 'secret_id'], ['payments_pkey']],
  )
})

test('of the platform’s own database only the records are shown, without counts of other groups', async () => {
  const { relations } = await read('status')
  assert.deepEqual([...new Set(relations.map(({ schema }) => schema))], ['records'])
  const tickets = relations.find(({ name }) => name === 'tickets')
  assert.deepEqual([tickets?.rows_estimate, tickets?.bytes], [null, null])
  assert.ok(tickets?.columns.some(({ name }) => name === 'title'))
})

test('a table that somebody has locked is shown at once, without its size', async () => {
  const lock = await it.hold('lock table orders in access exclusive mode')
  const started = performance.now()
  const orders = await relation('orders').finally(() => lock.release())
  assert.deepEqual([orders?.bytes, orders?.rows_estimate], [null, 50])
  assert.ok(performance.now() - started < 10_000)
})

test('a caller whose SELECT the policy would not run does not learn the structure', async () => {
  const policy = {
    allowed_databases: ['calendar'],
    allowed_operations: ['SELECT'],
    requires_approval: [],
    environment: 'dev',
  }
  const agent = async (id: string, part: object) =>
    it.call('/api/agents', {
      json: { id, name: id, model: 'm', config: { policy: { ...policy, ...part } } },
    })
  await agent('elsewhere', {})
  await agent('asking', {
    allowed_databases: ['application'],
    allowed_operations: [],
    requires_approval: ['SELECT'],
  })
  for (const id of ['elsewhere', 'asking']) {
    const refused = await schemaOf('application', `&agent_id=${id}`)
    assert.equal(refused.status, 403, refused.text)
    assert.equal(refused.json.error.code, 'policy_violation')
  }
  assert.equal((await schemaOf('calendar', '&agent_id=elsewhere')).status, 200)

  // Tables that a rule denies are not named, nor the keys that lead to them.
  await agent('ruled', { allowed_databases: ['application'], tables: { deny: ['users'] } })
  const ruled = await schemaOf('application', '&agent_id=ruled')
  assert.equal(ruled.status, 200, ruled.text)
  assert.match(ruled.text, /"orders"/)
  assert.doesNotMatch(ruled.text, /"users"|orders_user_id_fkey/)
  const [member, key] = [await personWith(it, 'member'), await keyWith(it, ['sql'])]
  assert.equal((await schemaOf('application', '', member)).status, 200)
  assert.equal((await schemaOf('application', '', key)).status, 200)
  assert.equal((await schemaOf('application', '', await keyWith(it, ['read']))).status, 403)
})

test('it is kept for a moment; after a change of the structure it can be read again', async () => {
  const kept = async () => (await it.call('/api/v1/sql/databases/application/schema')).json.relations.length
  const before = (await read()).relations.length
  await it.execute('create table later (id int)')
  assert.equal(await kept(), before)
  assert.equal((await read()).relations.length, before + 1)
  assert.equal(await kept(), before + 1)
})

test('of a database with very many relations the beginning is returned, which says so', async () => {
  assert.equal((await read()).truncated, false)
  await it.admin(`create schema wide; grant usage on schema wide to public;
    do $$ begin for n in 1..2001 loop
      execute format('create view wide.v%s as select 1 as one; grant select on wide.v%s to public', n, n);
    end loop; end $$`)
  const { relations, truncated } = await read()
  assert.deepEqual([relations.length, truncated], [2_000, true])
})

test('one’s own statements are listed apart, also for admins', async () => {
  const key = await keyWith(it, ['sql'])
  await it.execute('select 41', {}, key)
  await it.execute('select 42')
  const logs = async (query: string, by = it.call): Promise<string[]> =>
    (await by(`/api/v1/sql/logs?q=select%204${query}`)).json.data.map((each: { sql: string }) => each.sql)
  assert.deepEqual(await logs(''), ['select 42', 'select 41'])
  assert.deepEqual(await logs('&mine=true'), ['select 42'])
  assert.deepEqual(await logs('&mine=true', key), ['select 41'])
})
