import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EffectChanged } from '../evidence/evidence.ts'
import { startRunner } from '../run/testing-runner.ts'
import type { Images, NotKept } from './images.ts'
import { undoStatement } from './statement.ts'

const it = await startRunner()
await it.run(
  `create table accounts (id bigint generated always as identity primary key, name text, balance numeric, doc jsonb,
    at timestamptz, double numeric generated always as (balance * 2) stored)`,
)
await it.run(
  `insert into accounts (name, balance, doc, at)
    select 'a' || g, g * 1.10, jsonb_build_object('n', 9007199254740993 + g), '2026-01-01'::timestamptz + g * interval '1 microsecond'
    from generate_series(1, 5) g`,
)

const rows = async (): Promise<unknown> =>
  it.admin('select to_jsonb(a.*)::text as row from accounts a order by id')

async function kept(sql: string): Promise<Images | NotKept> {
  const all: (Images | NotKept)[] = []
  await it.run(sql, { keepRows: async (images) => void all.push(images) })
  assert.equal(all.length, 1)
  return all[0] ?? assert.fail('nothing was kept')
}

async function changed(sql: string): Promise<Images> {
  const images = await kept(sql)
  if ('reason' in images) assert.fail(images.reason)
  return images
}

async function undo(images: Images): Promise<number | null> {
  const statement = await undoStatement(
    (sql, values) => it.runner.lookUp({ groupId: it.groupId, database: 'application' }, sql, values),
    images,
  )
  return (await it.run(statement.sql, { params: statement.params, expect: statement.expect })).rowsAffected
}

test('an UPDATE is undone to the last digit', async () => {
  const before = await rows()
  const images = await changed(
    `update accounts set balance = 0, doc = null, at = now(), name = 'x' where id <= 3;`,
  )
  assert.equal(images.rows.length, 3)
  assert.notDeepEqual(await rows(), before)
  assert.equal(await undo(images), 3)
  assert.deepEqual(await rows(), before)
})

test('a DELETE is undone with the same ids', async () => {
  const before = await rows()
  const images = await changed('delete from accounts as old where old.id in (2, 4)')
  assert.equal(await undo(images), 2)
  assert.deepEqual(await rows(), before)
})

test('nothing is undone where one of the rows has changed since', async () => {
  const images = await changed('update accounts set balance = balance + 1')
  await it.run('update accounts set balance = 99 where id = 3')
  const before = await rows()
  await assert.rejects(undo(images), EffectChanged)
  assert.deepEqual(await rows(), before)
})

test('an INSERT is undone, unless one of the rows was changed since', async () => {
  const before = await rows()
  const sql = `insert into accounts (name, balance) values ('x', 1), ('y', 2)`
  assert.equal(await undo(await changed(sql)), 2)
  assert.deepEqual(await rows(), before)
  const images = await changed(sql)
  await it.run(`update accounts set balance = 3 where name = 'y'`)
  await assert.rejects(undo(images), EffectChanged)
  await it.run(`delete from accounts where name in ('x', 'y')`)
})

test('columns that were added since keep their values; a column that was removed stops the undo', async () => {
  await it.run('create table moving (id int primary key, a text, b text)')
  await it.run(`insert into moving values (1, 'a', 'b'), (2, 'a', 'b')`)
  const update = await changed(`update moving set a = 'changed'`)
  const removed = await changed('delete from moving where id = 2')
  await it.run(`alter table moving add column c text default 'new'`)
  assert.equal(await undo(removed), 1)
  await it.run(`update moving set c = 'set' where id = 1`)
  assert.equal(await undo(update), 2)
  assert.deepEqual(await it.admin('select * from moving order by id'), [
    { id: 1, a: 'a', b: 'b', c: 'set' },
    { id: 2, a: 'a', b: 'b', c: 'new' },
  ])
  const last = await changed(`update moving set a = 'again'`)
  await it.run('alter table moving drop column b')
  await assert.rejects(undo(last), /removed or renamed since: b/)
})

test('an exchange of primary keys is undone, a change to new ones says why not', async () => {
  await it.run('create table places (id int primary key deferrable initially deferred, name text)')
  await it.run(`insert into places values (1, 'one'), (2, 'two')`)
  assert.equal(await undo(await changed('update places set id = 3 - id')), 2)
  assert.deepEqual(await it.admin('select * from places order by id'), [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ])
  assert.match(((await kept('update places set id = id + 10')) as NotKept).reason, /changed primary keys/)
})

test('what cannot be undone runs all the same, and says why', async () => {
  const reasonOf = async (sql: string): Promise<string> => ((await kept(sql)) as NotKept).reason
  await it.run('create table parents (id int primary key)')
  await it.run('create table children (id int primary key, parent int references parents on delete cascade)')
  await it.run('create table keyless (id int)')
  await it.run('insert into parents values (1), (2)')
  await it.run('insert into children values (1, 1)')
  assert.match(await reasonOf('delete from parents where id = 1'), /by a cascade, a trigger/)
  assert.match(await reasonOf('delete from parents returning id'), /has RETURNING/)
  assert.match(await reasonOf('insert into keyless values (1)'), /no primary key/)
  assert.match(await reasonOf('insert into parents select g from generate_series(1, 10001) g'), /10,000 rows/)
  assert.deepEqual(await it.admin('select count(*)::int as n from parents'), [{ n: 10_001 }])
})

test('a change whose rows cannot be kept does not happen', async () => {
  const before = await rows()
  const keepRows = async (): Promise<void> => Promise.reject(new Error('no room'))
  await assert.rejects(it.run('delete from accounts', { keepRows }), /no room/)
  assert.deepEqual(await rows(), before)
})
