import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EffectChanged } from '../evidence/evidence.ts'
import { startRunner } from '../run/testing-runner.ts'
import type { Images } from './images.ts'
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

async function changed(sql: string): Promise<Images> {
  const kept: Images[] = []
  await it.run(sql, { keepRows: async (images) => void kept.push(images) })
  assert.equal(kept.length, 1, 'the rows are kept')
  return kept[0] as Images
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

test('what cannot be undone is not kept, and runs all the same', async () => {
  await it.run('create table parents (id int primary key)')
  await it.run('create table children (id int primary key, parent int references parents on delete cascade)')
  await it.run('insert into parents values (1), (2)')
  await it.run('insert into children values (1, 1)')
  const keepRows = async (): Promise<void> => assert.fail('these rows cannot be restored')
  assert.equal((await it.run('delete from parents where id = 1', { keepRows })).rowsAffected, 1)
  assert.deepEqual((await it.run('delete from parents returning id', { keepRows })).rows, [{ id: 2 }])
})

test('a change whose rows cannot be kept does not happen', async () => {
  const before = await rows()
  const keepRows = async (): Promise<void> => Promise.reject(new Error('no room'))
  await assert.rejects(it.run('delete from accounts', { keepRows }), /no room/)
  assert.deepEqual(await rows(), before)
})
