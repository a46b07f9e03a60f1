import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { opencode } from '../../src/transcripts/assistants/opencode/index.ts'
import { temporaryFolder } from '../harness/product.ts'

const schema = `
  create table session (id text primary key, parent_id text, directory text, title text, version text,
    time_created integer, time_updated integer);
  create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
  create table part (id text primary key, message_id text, session_id text, time_created integer,
    time_updated integer, data text);`

function openDatabase(): { file: string; database: DatabaseSync } {
  const file = join(temporaryFolder(), 'opencode.db')
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; ${schema}`)
  database.exec(`insert into session values ('ses_1', null, '/home/dev/shop', 'Total', '1.18.33', 1, 1)`)
  database.exec(`insert into message values ('msg_1', 'ses_1', 1, 1, '{"role":"user"}')`)
  return { file, database }
}

function addPart(database: DatabaseSync, id: string, time: number, text: string): void {
  const data = JSON.stringify({ type: 'text', text })
  database
    .prepare('insert or replace into part values (?, ?, ?, 1, ?, ?)')
    .run(id, 'msg_1', 'ses_1', time, data)
}

/** The texts of the parts that a snapshot returns, and its cursor as it is stored. */
function take(file: string, cursor: unknown): { texts: string[]; cursor: unknown; hasMore: boolean } {
  const snapshot = opencode.snapshot?.(file, cursor)
  assert.ok(snapshot)
  const rows = snapshot.lines.map((line) => JSON.parse(line) as { table: string; data?: { text?: string } })
  const texts = rows.flatMap(({ table, data }) => (table === 'part' ? [data?.text ?? ''] : []))
  return { texts, cursor: JSON.parse(JSON.stringify(snapshot.cursor)), hasMore: snapshot.hasMore }
}

test('rows that are only in the write-ahead log are read while opencode holds the database open', () => {
  const { file, database } = openDatabase()
  addPart(database, 'prt_1', 5, 'hello')
  const alone = join(temporaryFolder(), 'opencode.db')
  copyFileSync(file, alone)
  assert.throws(() => opencode.snapshot?.(alone, null), 'the main file alone has no tables yet')
  assert.deepEqual(take(file, null).texts, ['hello'])
  database.close()
})

test('a row comes again when it changed, also within the same millisecond, and otherwise never', () => {
  const { file, database } = openDatabase()
  addPart(database, 'prt_1', 5, 'one')
  const first = take(file, null)
  addPart(database, 'prt_2', 5, 'two')
  const second = take(file, first.cursor)
  assert.deepEqual(second.texts, ['two'])
  addPart(database, 'prt_1', 6, 'one, longer')
  const third = take(file, second.cursor)
  assert.deepEqual(third.texts, ['one, longer'])
  assert.deepEqual(opencode.snapshot?.(file, third.cursor).lines, [])
  database.close()
})

test('a large database comes in several snapshots without a gap', () => {
  const { file, database } = openDatabase()
  database.exec('begin')
  for (let part = 0; part < 1201; part++)
    addPart(database, `prt_${part}`, 5 + Math.floor(part / 700), `text ${part}`)
  database.exec('commit')
  const texts = new Set<string>()
  let cursor: unknown = null
  for (let hasMore = true; hasMore;) {
    const snapshot = take(file, cursor)
    for (const text of snapshot.texts) texts.add(text)
    ;({ cursor, hasMore } = snapshot)
  }
  assert.equal(texts.size, 1201)
  database.close()
})
