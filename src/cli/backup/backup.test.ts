import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  dumpTables,
  fillTables,
  foreignTables,
  migrationNames,
  openDatabase,
  openDump,
  type Database,
} from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import type { BackupHeader } from './format.ts'
import { placeJournal, stageJournal } from './journal.ts'
import { backupSections, checkBackup } from './read.ts'
import { writeBackup } from './write.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const open: Database[] = []
const folder = mkdtempSync(join(tmpdir(), 'signalbox-backup-'))
after(async () => {
  await Promise.all(open.map((database) => database.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function newDatabase(): Promise<Database> {
  const database = openDatabase(await createTestDatabase(), log)
  open.push(database)
  return database
}

const header: BackupHeader = {
  signalbox_backup: 1,
  version: '0.1.0',
  migration: migrationNames().at(-1) ?? null,
  created_at: '2026-03-05T10:00:00.000Z',
  master_key_id: null,
  master_key: null,
}

function newFolder(): string {
  const path = join(folder, randomUUID())
  mkdirSync(path)
  return path
}

async function restore(file: string, database: Database, dataDir = newFolder()): Promise<void> {
  await checkBackup(file)
  await fillTables(database.target, stageJournal(dataDir, backupSections(file)))
  placeJournal(dataDir)
}

/** Text of every kind that could be mistaken for the end of a line, a row, a column or a table; as long as a name may be. */
function anyText(): string {
  const pieces = [
    '\u2028',
    '\u2029',
    '\u0085',
    '\r',
    '\n',
    '\r\n',
    '\v',
    '\f',
    '\t',
    '\\',
    '\\.',
    '\\N',
    '\n\\.\n',
  ]
  const more = ['{"end":true}', '{"table":"access.groups"}', '"', "'", '🚦', 'é', '\u0001', '\u007f', 'plain']
  const all = [...pieces, ...more]
  const text = Array.from(
    { length: 1 + ((randomBytes(1)[0] ?? 0) % 12) },
    () => all[(randomBytes(1)[0] ?? 0) % all.length],
  ).join('')
  return Array.from(text).slice(0, 100).join('')
}

async function insertAnything(database: Database): Promise<void> {
  for (let number = 0; number < 40; number += 1) {
    const group = randomUUID()
    await database.pool.query('insert into access.groups (id, name) values ($1, $2)', [group, anyText()])
    await database.pool.query(
      `insert into access.api_keys (group_id, name, key_hash, key_prefix, key_suffix, scopes, provider_key_overrides)
       values ($1, $2, $3, 'sb-', 'abcd', $4, $5)`,
      [group, anyText(), randomBytes(32), ['read', anyText()], JSON.stringify({ [anyText()]: anyText() })],
    )
  }
}

async function contentOf(database: Database): Promise<unknown> {
  const groups = await database.pool.query('select * from access.groups order by id')
  const keys = await database.pool.query('select * from access.api_keys order by id')
  assert.equal(groups.rowCount, 40)
  return [groups.rows, keys.rows]
}

test('any text and any bytes come back equal', async () => {
  const [from, to] = [await newDatabase(), await newDatabase()]
  await insertAnything(from)
  const file = join(newFolder(), 'any.backup')
  await writeBackup(file, header, newFolder(), from.target)
  await restore(file, to)
  assert.deepEqual(await contentOf(to), await contentOf(from))
})

test('a file of one gzip member, as earlier releases wrote it, restores', async () => {
  const [from, to] = [await newDatabase(), await newDatabase()]
  await insertAnything(from)
  const file = join(newFolder(), 'one.backup')
  await writeBackup(file, header, newFolder(), from.target)
  writeFileSync(file, gzipSync(gunzipSync(readFileSync(file))))
  await restore(file, to)
  assert.deepEqual(await contentOf(to), await contentOf(from))
})

test('parts that several connections read have every row once, as of one moment', async () => {
  const from = await newDatabase()
  await from.pool.query(
    `insert into access.groups (id, name) select gen_random_uuid(), 'Group ' || n from generate_series(1, 2000) as n`,
  )
  const dump = await openDump(from.target, 3, 20_000)
  await from.pool.query(`insert into access.groups (id, name) values (gen_random_uuid(), 'Late')`)
  const ofGroups = dump.parts.filter(({ query }) => query.includes('from only access.groups'))
  assert.ok(ofGroups.length > 3, `${ofGroups.length} parts`)
  const texts = await Promise.all(
    ofGroups.map(async (part) => {
      let text = ''
      for await (const piece of dump.read(part)) text += piece.toString()
      return text
    }),
  )
  await dump.close()
  const lines = texts.join('').split('\n')
  assert.match(lines[0] ?? '', /^\{"table":"access\.groups"/)
  assert.deepEqual(lines.slice(-2), ['\\.', ''])
  const names = lines.slice(1, -2).map((line) => /\t(Group \d+)(?:\t|$)/.exec(line)?.[1])
  assert.deepEqual(new Set(names).size, 2_000)
  assert.equal(names.length, 2_000)
})

test('a table that is large in the backup has all its indexes again', async () => {
  const [from, to] = [await newDatabase(), await newDatabase()]
  await from.pool.query('insert into access.groups (id, name) values ($1, $2)', [randomUUID(), 'Group'])
  await from.pool.query(
    `insert into webhooks.commits (group_id, sha, committed_at)
     select id, repeat(md5(n::text), 6), now() from access.groups, generate_series(1, 20000) as n`,
  )
  const file = join(newFolder(), 'large.backup')
  await writeBackup(file, header, newFolder(), from.target)
  await restore(file, to)
  const indexes = async ({ pool }: Database): Promise<unknown> =>
    (
      await pool.query(
        `select indexname, indexdef from pg_indexes where schemaname = 'webhooks' order by indexname`,
      )
    ).rows
  assert.deepEqual(await indexes(to), await indexes(from))
  const { rows } = await to.pool.query('select count(*)::int as count from webhooks.commits')
  assert.deepEqual(rows, [{ count: 20_000 }])
})

test('tables of others are left out of a backup and reported, and it restores beside them', async () => {
  const [from, to] = [await newDatabase(), await newDatabase()]
  await insertAnything(from)
  for (const database of [from, to]) {
    await database.pool.query('create table public.dba_notes (note text)')
    await database.pool.query(`insert into public.dba_notes values ('vacuum on Sunday')`)
    await database.pool.query('create table records.of_an_admin (note text)')
  }
  const file = join(newFolder(), 'beside.backup')
  assert.deepEqual(await writeBackup(file, header, newFolder(), from.target), {
    leftOut: ['public.dba_notes', 'records.of_an_admin'],
  })
  await restore(file, to)
  assert.deepEqual(await contentOf(to), await contentOf(from))
})

test('every table of a migrated database is known to the backup, or is made again', async () => {
  const database = await newDatabase()
  const { rows } = await database.pool.query(
    `select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in
       ('pg_catalog', 'information_schema', 'pg_toast', 'kernel', 'jobs', 'search')`,
  )
  const lines: string[] = []
  for await (const piece of dumpTables(database.target)) lines.push(piece.toString())
  const tables = lines.join('').match(/^\{"table":/gm)
  assert.deepEqual([{ count: tables?.length }], rows)
  assert.deepEqual(await foreignTables(database.target), [])
})

test('a file or link that another user put beside the backup is neither written nor followed', async () => {
  const from = await newDatabase()
  const folderOfAll = newFolder()
  const file = join(folderOfAll, 'mine.backup')
  const victim = join(folderOfAll, 'victim')
  writeFileSync(victim, 'untouched')
  symlinkSync(victim, `${file}.part`)
  symlinkSync(victim, file)
  await writeBackup(file, header, newFolder(), from.target)
  assert.equal(readFileSync(victim, 'utf8'), 'untouched')
  const { mode } = lstatSync(file)
  assert.equal(mode & 0o777, 0o600)
  assert.ok(lstatSync(file).isFile())
  assert.deepEqual(readdirSync(folderOfAll).toSorted(), ['mine.backup', 'mine.backup.part', 'victim'])
})

test('requests that wait in the journal are in the backup and lie in the journal again after a restore', async () => {
  const [from, to] = [await newDatabase(), await newDatabase()]
  const [source, target] = [newFolder(), newFolder()]
  const bytes = randomBytes(200_000)
  mkdirSync(join(source, 'journal/123-456-0123456789ab'), { recursive: true })
  writeFileSync(join(source, 'journal/123-456-0123456789ab/00000001.log'), bytes)
  const file = join(newFolder(), 'journal.backup')
  await writeBackup(file, header, source, from.target)
  await restore(file, to, target)
  assert.deepEqual(readFileSync(join(target, 'journal/123-456-0123456789ab/00000001.log')), bytes)
})

async function forged(replace: (text: string) => string): Promise<string> {
  const from = await newDatabase()
  await from.pool.query('insert into access.groups (id, name) values ($1, $2)', [randomUUID(), 'Group'])
  const file = join(newFolder(), 'forged.backup')
  await writeBackup(file, header, newFolder(), from.target)
  const text = gunzipSync(readFileSync(file)).toString()
  const changed = replace(text)
  assert.notEqual(changed, text)
  writeFileSync(file, gzipSync(changed))
  return file
}

const hostile: Record<string, { replace: (text: string) => string; refusal: RegExp }> = {
  'a function in the bound of a partition': {
    replace: (text) =>
      text.replace(
        '"table":"usage.usage_logs"',
        `"partitions":[{"schema":"usage","name":"usage_logs_20260101","bound":"FOR VALUES FROM (lo_export(lo_from_bytea(0, 'x'), '/tmp/x')::text::uuid) TO ('ffffffff-ffff-ffff-ffff-ffffffffffff')"}],"table":"usage.usage_logs"`,
      ),
    refusal: /a partition of usage\.usage_logs in an unknown way/,
  },
  'a partition elsewhere': {
    replace: (text) =>
      text.replace(
        '"table":"usage.usage_logs"',
        `"partitions":[{"schema":"access","name":"groups","bound":"FOR VALUES FROM ('00000000-0000-0000-0000-000000000000') TO ('ffffffff-ffff-ffff-ffff-ffffffffffff')"}],"table":"usage.usage_logs"`,
      ),
    refusal: /a partition of usage\.usage_logs in an unknown way/,
  },
  'a table that no migration makes': {
    replace: (text) => text.replace('"table":"access.groups"', '"table":"pg_catalog.pg_authid"'),
    refusal: /the table pg_catalog\.pg_authid/,
  },
  'a statement in place of a table': {
    replace: (text) =>
      text.replace('"table":"access.groups"', '"table":"access.groups from program \'id\' --"'),
    refusal: /which this Signalbox does not have/,
  },
  'a column that the table does not have': {
    replace: (text) => text.replace('"columns":["id"', '"columns":["id) from program \'id\' --"'),
    refusal: /the column id\) from program/,
  },
  'the same journal file twice': {
    replace: (text) =>
      text.replace(
        '\n',
        `\n${'{"journal_file":"123-456-0123456789ab/00000001.log"}\nYQ==\n\\.\n'.repeat(2)}`,
      ),
    refusal: /has the file 123-456-0123456789ab\/00000001\.log of the usage journal twice/,
  },
  'a journal file without a name': {
    replace: (text) => text.replace('\n', '\n{"journal_file":oops\nYQ==\n\\.\n'),
    refusal: /usage journal with a wrong name/,
  },
  'a journal file outside the journal': {
    replace: (text) => text.replace('\n', '\n{"journal_file":"../../owner.token"}\nYQ==\n\\.\n'),
    refusal: /usage journal with a wrong name/,
  },
}

for (const [name, { replace, refusal }] of Object.entries(hostile)) {
  test(`a backup is data: ${name} is refused and changes nothing`, async () => {
    const to = await newDatabase()
    const file = await forged(replace)
    await assert.rejects(restore(file, to), refusal)
    const { rows } = await to.pool.query('select count(*)::int as count from access.groups')
    assert.deepEqual(rows, [{ count: 0 }])
  })
}
