import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRunner } from '../run/testing-runner.ts'
import type { MigrationCall } from './migration.ts'

const it = await startRunner()
await it.run('create table users (id int primary key, email text)')
await it.run(`insert into users select g, 'u' || g from generate_series(1, 20) g`)
const { migrations } = it.runner

const callOf = (name: string, statements: string[], more: Partial<MigrationCall> = {}): MigrationCall => ({
  groupId: it.groupId,
  database: 'application',
  owner: 'a test',
  name,
  statements,
  writesInside: [],
  checks: [],
  by: 'a test',
  signal: new AbortController().signal,
  ...more,
})

const checksOf = (...texts: string[]): MigrationCall['checks'] =>
  texts.map((sql) => ({ sql, masked: sql, shown: (error) => error }))

test('statements become effective together, with the checks side by side', async () => {
  const result = await migrations.apply(
    callOf(
      'notes',
      ['create table notes (id bigint primary key)', 'insert into notes select generate_series(1, 3)'],
      { checks: checksOf('select count(*) as n from users', 'select count(*) as n from notes') },
    ),
  )
  assert.ok(result.status === 'executed')
  assert.equal(result.rowsAffected, 3)
  assert.deepEqual(result.effect.created, ['public.notes', 'public.notes_pkey'])
  assert.deepEqual(result.checks[0], {
    sql: 'select count(*) as n from users',
    before: [{ n: 20 }],
    after: [{ n: 20 }],
  })
  assert.deepEqual(result.checks[1]?.after, [{ n: 3 }])
  assert.match(JSON.stringify(result.checks[1]?.before), /42P01/)
})

test('the same name and text is not run again; another text is a conflict', async () => {
  const first = callOf('once', ['create table once (a int)'])
  await migrations.apply(first)
  const again = await migrations.apply(first)
  assert.equal(again.status, 'already_applied')
  await assert.rejects(migrations.apply(callOf('once', ['create table other (a int)'])), { code: 'conflict' })
  assert.equal((await migrations.preview(first)).isApplied, true)
})

test('a migration that fails at its last statement leaves no trace', async () => {
  const failing = callOf('broken', [
    'create table half (a int)',
    'delete from users',
    'alter table users add column x int',
    'select * from nowhere',
  ])
  await assert.rejects(migrations.apply(failing), {
    sqlstate: '42P01',
    message: /^Statement 4 of 4: Relation "nowhere" does not exist/,
  })
  const [left] = await it.admin<{ n: number; half: string | null; noted: number; columns: number }>(
    `select (select count(*)::int from users) as n, to_regclass('half') as half,
      (select count(*)::int from signalbox_migrations where name = 'broken') as noted,
      (select count(*)::int from information_schema.columns where table_name = 'users') as columns`,
  )
  assert.deepEqual(left, { n: 20, half: null, noted: 0, columns: 2 })
})

test('two replicas that apply one migration at once: one does, the other finds it done', async () => {
  const call = callOf('at-once', ['create table at_once (a int)'])
  const results = await Promise.all([migrations.apply(call), migrations.apply(call)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['already_applied', 'executed'])
})

test('the preview shows what would happen and keeps nothing', async () => {
  const evidence = await migrations.preview(
    callOf('shorter', ['delete from users where id > 15', 'alter table users alter column id type bigint'], {
      checks: checksOf('select count(*) as n from users'),
    }),
  )
  assert.equal(evidence.skipped, null)
  assert.deepEqual(evidence.effect?.tables[0], {
    schema: 'public',
    name: 'users',
    inserted: 0,
    updated: 0,
    deleted: 5,
  })
  assert.deepEqual(evidence.checks[0]?.after, [{ n: 15 }])
  assert.ok(evidence.rewritten.includes('public.users'))
  assert.ok(evidence.locks.some(({ mode }) => mode === 'AccessExclusive'))
  assert.equal((await it.run('select count(*) as n from users', { access: 'read' })).rows[0]?.['n'], 20)
})

test('the rows that TRUNCATE and DROP TABLE take away are in the preview, and are compared', async () => {
  for (const sql of [
    'create table cleared (id int)',
    'create table refilled (id int)',
    'create table gone (id int)',
    'create table wider (id int)',
    ...['cleared', 'refilled', 'gone', 'wider'].map(
      (name) => `insert into ${name} select generate_series(1, 4)`,
    ),
  ])
    await it.run(sql)
  const call = callOf('clear', [
    'delete from cleared where id = 1',
    'truncate cleared',
    'truncate refilled',
    'insert into refilled values (7)',
    'drop table gone',
    'create table brief (id int)',
    'insert into brief values (1)',
    'drop table brief',
    'alter table wider alter column id type bigint',
  ])
  const { effect } = await migrations.preview(call)
  const row = (name: string, inserted: number, deleted: number) => ({
    schema: 'public',
    name,
    inserted,
    updated: 0,
    deleted,
  })
  assert.deepEqual(
    effect?.tables.toSorted((a, b) => a.name.localeCompare(b.name)),
    [row('cleared', 0, 4), row('gone', 0, 4), row('refilled', 1, 4)],
  )
  await it.run('insert into gone values (5)')
  await assert.rejects(migrations.apply({ ...call, expect: effect }), {
    name: 'Error',
    message: /other rows/,
  })
  await it.run('delete from gone where id = 5')
  assert.equal((await migrations.apply({ ...call, expect: effect })).status, 'executed')
})

test('agents cannot change the list of migrations', async () => {
  // A way back removes its own entry, so the role may delete; statements with it are refused by every policy.
  for (const sql of [
    `update signalbox_migrations set name = 'x'`,
    'drop table signalbox_migrations',
    'truncate signalbox_migrations',
  ])
    await assert.rejects(it.run(sql), { sqlstate: '42501' })
})

test('the linter warns about changes that lock or rewrite tables', async () => {
  const warnings = await migrations.lint([
    'alter table users add column age int not null -- required',
    'create index users_email on users (email);',
  ])
  assert.deepEqual(warnings.map(({ rule }) => rule).toSorted(), [
    'adding-required-field',
    'require-concurrent-index-creation',
  ])
  assert.deepEqual(await migrations.lint(['create table fresh (id bigint primary key)']), [])
})
