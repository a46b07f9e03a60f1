import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from '#kernel/db'
import { migrationNames, readMigration } from '../src/kernel/db/migration-files.ts'
import { firstChecked, violationsOf } from './architecture/migration-rules.ts'
import { createTestDatabase } from './harness/database.ts'
import { temporaryFolder } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

test('every new migration leaves the release before running', () => {
  const names = migrationNames().filter((name) => name >= firstChecked)
  assert.deepEqual(
    names.flatMap((name) => violationsOf(readMigration(name))),
    [],
  )
})

/** Writes files and returns their folder. */
function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.sql`), text)
  return folder
}

const reasons = (text: string): string[] =>
  violationsOf(readMigration('9000_x', folderWith({ '9000_x': text }))).map(
    (line) => line.split(':')[1]?.trim() ?? '',
  )

test('the rules find what would break the release before, and let pass what does not', () => {
  const bad: Record<string, RegExp> = {
    'alter table a.b drop column c;': /takes something away/,
    'drop table a.b;': /takes something away/,
    'alter table a.b rename column c to d;': /takes something away/,
    'alter table a.b alter column c type bigint;': /takes something away/,
    'alter table a.b alter column c set not null;': /takes something away/,
    'alter table a.b add column c int not null;': /needs a default/,
    'alter table a.b add constraint c check (d > 0);': /not valid/,
    'create index c on a.b (d);': /concurrently/,
    '-- outside a transaction\ncreate index concurrently c on a.b (d);': /comes first/,
    'drop index concurrently if exists a.c;\ncreate index concurrently c on a.b (d);': /needs the line/,
  }
  for (const [text, reason] of Object.entries(bad)) assert.match(reasons(text).join(), reason, text)
  const good = [
    'alter table a.b add column c int;',
    'alter table a.b add column c int not null default 0;',
    'alter table a.b add constraint c check (d > 0) not valid;\nalter table a.b validate constraint c;',
    'create table a.b (c int not null);\ncreate index d on a.b (c);',
    '-- outside a transaction\ndrop index concurrently if exists a.c;\ncreate index concurrently c on a.b (d);',
    '-- locks: only a job writes to it\ncreate index c on a.b (d);',
    '-- contracts: no release reads it since 1.2\nalter table a.b drop column c;',
  ]
  for (const text of good) assert.deepEqual(reasons(text), [], text)
})

test('a migration that waits for a lock gives way to other queries, and is run when the lock is free', async () => {
  const target = await createTestDatabase('template0')
  const folder = folderWith({ '0001_a': 'create table public.a (b int);' })
  await migrate(target, undefined, folder)
  const holder = new pg.Client({ ...target.address, database: target.database })
  await holder.connect()
  await holder.query('begin; insert into public.a values (1)')
  writeFileSync(join(folder, '0002_c.sql'), 'alter table public.a add column c int;')
  const migrated = migrate(target, undefined, folder)
  const reader = new pg.Client({ ...target.address, database: target.database })
  await reader.connect()
  const waiting = `select 1 from pg_locks where relation = 'public.a'::regclass and not granted`
  await waitFor('the migration to wait', async () => (await reader.query(waiting)).rowCount)
  // It comes after the change that waits, and would wait for ever behind it.
  assert.equal((await reader.query('select * from public.a')).rowCount, 0)
  await holder.query('commit')
  assert.deepEqual(await migrated, ['0002_c'])
  await holder.end()
  await reader.end()
})

test('an index is made concurrently outside a transaction', async () => {
  const target = await createTestDatabase('template0')
  const folder = folderWith({
    '0001_a': 'create table public.a (b int);',
    '0002_index':
      '-- outside a transaction\ndrop index concurrently if exists public.a_by_b;\n-- Why.\ncreate index concurrently a_by_b on public.a (b);\n',
  })
  assert.deepEqual(await migrate(target, undefined, folder), ['0001_a', '0002_index'])
  assert.deepEqual(await migrate(target, undefined, folder), [])
})

test('an older Signalbox runs on a newer schema that only added, and refuses one that took something away', async () => {
  const target = await createTestDatabase('template0')
  const first = { '0001_a': 'create table public.a (b int);' }
  const added = { ...first, '0002_more': 'alter table public.a add column c int;' }
  const taken = {
    ...added,
    '0003_less': '-- contracts: nothing reads it\nalter table public.a drop column b;',
  }
  await migrate(target, undefined, folderWith(added))
  assert.deepEqual(await migrate(target, undefined, folderWith(first)), [])
  await migrate(target, undefined, folderWith(taken))
  await assert.rejects(migrate(target, undefined, folderWith(added)), {
    name: 'StartFault',
    message: /^The database was written by a newer Signalbox \(it has 0003_less\)\. Start that version/,
  })
})
