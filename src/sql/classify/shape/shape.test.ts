import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createClassifier } from '../create-classifier.ts'
import type { QueryShape, StatementShape } from './shape.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
after(() => classifier.close())

async function shapeOf(sql: string): Promise<StatementShape> {
  const [statement] = await classifier.classify(sql, 'migrate')
  assert.ok(statement, sql)
  return statement.shape
}

async function queryOf(sql: string): Promise<QueryShape> {
  const { query } = await shapeOf(sql)
  assert.ok(query, sql)
  return query
}

test('a statement is idempotent where running it twice does what running it once does', async () => {
  for (const [sql, expected] of [
    ['create table if not exists t (a int)', true],
    ['create table t (a int)', false],
    ['create index if not exists i on t (a)', true],
    ['create index i on t (a)', false],
    ['create or replace view v as select 1', true],
    ['create view v as select 1', false],
    ['drop table if exists t', true],
    ['drop table t', false],
    ['alter table t add column if not exists a int, drop column if exists b', true],
    ['alter table t add column if not exists a int, add column b int', false],
    ['alter table t alter column a set not null, alter column b set default 1', true],
    ['alter table t alter column a type bigint', true],
    ['alter table t alter column a type int using a * 100', false],
    ['alter table t add constraint c check (a > 0)', false],
    ['alter table t drop constraint if exists c, add constraint c check (a > 0)', true],
    ['alter table t drop constraint if exists d, add constraint c check (a > 0)', false],
    ['alter table t rename column a to b', false],
    ['insert into t values (1)', false],
    ['insert into t values (1) on conflict do nothing', true],
    ['insert into t select 1 where not exists (select from t where a = 1)', true],
    ['insert into t select 1 where exists (select from t where a = 1)', false],
    ["update t set a = 'x' where b is null", true],
    ['update t set a = a + 1', false],
    ['update t set a = t.a + 1', false],
    ['delete from t where a = 1', true],
    ['create type e as enum ()', false],
    ['do $$ begin end $$', false],
  ] as const)
    assert.equal((await shapeOf(sql)).isIdempotent, expected, sql)
})

test('the tables that a statement changes are those whose rows must be counted', async () => {
  for (const [sql, changes, drops] of [
    ['create index i on public.orders (a)', ['public.orders'], []],
    ['drop table if exists a.t, b', ['a.t', 'b'], ['a.t', 'b']],
    ['drop index i', [], []],
    ['alter table orders add column a int', ['orders'], []],
    ['alter index i rename to j', [], []],
    ['alter table orders rename to bills', ['orders'], []],
    ['alter table orders rename column a to b', ['orders'], []],
    ['truncate a, b', ['a', 'b'], []],
    ['create table x as select * from y', ['x'], []],
    ['with gone as (delete from a returning *) insert into b select * from gone', ['b', 'a'], []],
    ['select 1', [], []],
    ['create view v as select 1', [], []],
  ] as const) {
    const shape = await shapeOf(sql)
    assert.deepEqual([shape.changes, shape.drops], [changes, drops], sql)
  }
})

test('a query is the check that its conditions make it', async () => {
  for (const [sql, checks] of [
    ['select count(*) from t', []],
    ['select count(*) from t where email is null', ['null']],
    ['select count(*) filter (where email is null) from t', ['null']],
    ['select count(*), count(email) from t', ['null']],
    ['select * from t where email is not null', []],
    ['select email, count(*) from t group by email having count(*) > 1', ['duplicate']],
    ['select email, count(*) from t group by email', []],
    ['select count(*), count(distinct email) from t', ['duplicate']],
    ['select count(*) - count(distinct email) from t', ['duplicate']],
    ['select count(*) from (select 1 from t group by a having count(*) > 1) d', ['duplicate']],
    ['with d as (select a from t group by a having count(*) > 1) select * from d', ['duplicate']],
    ['select * from t where a in (select a from t group by a having count(*) > 1)', ['duplicate']],
    ['select o.id from o left join c on c.id = o.c where c.id is null', ['foreign_key']],
    ['select o.id from c right join o on c.id = o.c where c.id is null', ['foreign_key']],
    ['select o.id from o left join c on c.id = o.c where o.note is null', ['null']],
    ['select o.id from o join c on c.id = o.c where c.name is null', ['null']],
    ['select o.id from o left join c on c.id = o.c', []],
  ] as const)
    assert.deepEqual((await queryOf(sql)).checks, checks, sql)
})

test('counts are told from other numbers, and say of which table', async () => {
  for (const [sql, columns, counted] of [
    ['select count(*) from orders', ['total orders'], ['orders']],
    ['select count(*) from public.orders as o', ['total public.orders'], ['public.orders']],
    ['select count(*)::int as n from orders', ['total orders'], ['orders']],
    ['select count(*) from orders where a = 1', ['other'], []],
    ['select count(*) from orders where a is null', ['problem'], []],
    ['select count(*), count(a), count(distinct b) from t', ['total t', 'present t', 'distinct t'], ['t']],
    ['select count(*) - count(a) from t', ['problem t'], ['t']],
    ['select (select count(*) from a), (select count(*) from b)', ['total a', 'total b'], ['a', 'b']],
    ["select 'a', count(*) from a union all select 'b', count(*) from b", ['other', 'total'], ['a', 'b']],
    ["select 'a', count(*) from a union select 'b', count(*) from b", null, ['a', 'b']],
    ['select max(salary) from people', null, []],
    ['select count(*), max(salary) from people', null, ['people']],
    ['select salary from people', null, []],
    ['select 1', null, []],
    ['with t as (select 1) select count(*) from t', ['other'], []],
  ] as const) {
    const query = await queryOf(sql)
    const shown =
      query.columns?.map(({ kind, table }) => (table === null ? kind : `${kind} ${table}`)) ?? null
    assert.deepEqual([shown, query.counted], [columns, counted], sql)
  }
})

test('rows of a table are a sample; schema, counts and checks are none', async () => {
  for (const [sql, isSample, readsCatalog, rowsAreProblems] of [
    ['select * from orders limit 5', true, false, false],
    ['select id from (select * from orders) o', true, false, false],
    ['explain select * from orders', true, false, false],
    ['select count(*) from orders', false, false, false],
    ['select max(id) from orders', false, false, false],
    ['select a, count(*) from orders group by a', false, false, false],
    ["select * from information_schema.columns where table_name = 'orders'", false, true, false],
    ['select * from pg_class', false, true, false],
    ['select * from orders where a is null', false, false, true],
    ['select exists (select from orders where a is null)', false, false, false],
    ['select 1', false, false, false],
  ] as const) {
    const query = await queryOf(sql)
    assert.deepEqual(
      [query.isSample, query.readsCatalog, query.rowsAreProblems],
      [isSample, readsCatalog, rowsAreProblems],
      sql,
    )
  }
})
