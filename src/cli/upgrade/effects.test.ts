import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectsOf } from './effects.ts'

/** Of one statement on `a.b`, as "work, blocks". */
async function on(sql: string): Promise<string> {
  const { effects } = await effectsOf(sql)
  return effects.map(({ table, work, blocks }) => `${table}: ${work}, ${blocks}`).join('; ')
}

const cases: [sql: string, effect: string][] = [
  ['alter table a.b add column c text', 'a.b: none, everything'],
  ['alter table a.b add column c int not null default 7', 'a.b: none, everything'],
  ['alter table a.b add column c timestamptz not null default now()', 'a.b: none, everything'],
  ['alter table a.b add column c uuid not null default gen_random_uuid()', 'a.b: rewrites, everything'],
  ['alter table a.b add column c int generated always as (d + 1) stored', 'a.b: rewrites, everything'],
  ['alter table a.b add column c bigserial', 'a.b: rewrites, everything'],
  ['alter table a.b alter column c type bigint', 'a.b: rewrites, everything'],
  ['alter table a.b alter column c set not null', 'a.b: reads, everything'],
  ['alter table a.b add constraint d check (c > 0)', 'a.b: reads, everything'],
  ['alter table a.b add constraint d check (c > 0) not valid', 'a.b: none, everything'],
  ['alter table a.b validate constraint d', 'a.b: reads, nothing'],
  ['alter table a.b add constraint d unique (c)', 'a.b: reads, everything'],
  ['create index i on a.b (c)', 'a.b: reads, writes'],
  ['create index concurrently i on a.b (c)', 'a.b: reads, nothing'],
  ['update a.b set c = 1', 'a.b: changes rows, nothing'],
  ['delete from a.b where c = 1', 'a.b: changes rows, nothing'],
  ['drop table a.b', 'a.b: none, everything'],
  ['drop trigger t on a.b', 'a.b: none, everything'],
  ['alter table a.b rename column c to d', 'a.b: none, everything'],
  ['create table a.new (id uuid references a.b on delete cascade)', 'a.b: none, writes'],
  ['create table a.new partition of a.b default', 'a.b: none, everything'],
  ['create trigger t after insert on a.b for each statement execute function f()', 'a.b: none, writes'],
  ['create function f() returns int language sql as $$ delete from a.b; select 1 $$', ''],
]

for (const [sql, effect] of cases)
  test(`what a migration does to a table is read from it: ${sql}`, async () => {
    assert.equal(await on(sql), effect)
  })

test('the worst of several statements counts, for each table', async () => {
  const sql =
    'alter table a.b add column c int; create index i on a.b (c); update a.c set d = 1; alter table a.b validate constraint e'
  assert.equal(await on(sql), 'a.b: reads, everything; a.c: changes rows, nothing')
})

test('a block of code is named, because its effects are unknown', async () => {
  assert.deepEqual(await effectsOf('do $$ begin perform 1; end $$'), { effects: [], runsCode: true })
})
