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

/** Everything from a cursor on, snapshot by snapshot, and how long the longest cursor was. */
function takeAll(file: string): { texts: string[]; longest: number } {
  const texts: string[] = []
  let longest = 0
  let cursor: unknown = null
  for (let hasMore = true; hasMore;) {
    const snapshot = take(file, cursor)
    texts.push(...snapshot.texts)
    ;({ cursor, hasMore } = snapshot)
    longest = Math.max(longest, JSON.stringify(cursor).length)
  }
  return { texts, longest }
}

function addParts(database: DatabaseSync, count: number, timeOf: (part: number) => number): void {
  database.exec('begin')
  for (let part = 0; part < count; part++) addPart(database, `prt_${part}`, timeOf(part), `text ${part}`)
  database.exec('commit')
}

test('a large database comes in several snapshots without a gap', () => {
  const { file, database } = openDatabase()
  addParts(database, 1201, (part) => 5 + Math.floor(part / 700))
  const { texts } = takeAll(file)
  assert.deepEqual([texts.length, new Set(texts).size], [1201, 1201])
  database.close()
})

test('where all rows have one time, each comes once and the cursor stays short', () => {
  const now = Date.now()
  for (const [time, limit] of [
    [5, 300],
    [now, 30_000],
  ] as const) {
    const { file, database } = openDatabase()
    addParts(database, 4_000, () => time)
    const { texts, longest } = takeAll(file)
    assert.deepEqual([texts.length, new Set(texts).size], [4_000, 4_000])
    assert.ok(longest < limit, `${longest}`)
    database.close()
  }
})

test('a row that is written with the time of a newer one is not lost', () => {
  const { file, database } = openDatabase()
  const now = Date.now()
  addPart(database, 'prt_2', now, 'two')
  const first = take(file, null)
  addPart(database, 'prt_1', now, 'one')
  const second = take(file, first.cursor)
  assert.deepEqual([first.texts, second.texts, take(file, second.cursor).texts], [['two'], ['one'], []])
  database.close()
})

test('a cursor with the ids of all rows of its time, as earlier releases stored it, is continued', () => {
  const { file, database } = openDatabase()
  for (const id of ['prt_1', 'prt_2', 'prt_3']) addPart(database, id, 5, id)
  const next = take(file, { part: { time: 5, ids: ['prt_1', 'prt_2'] } })
  assert.deepEqual([next.texts, take(file, next.cursor).texts], [['prt_3'], []])
  database.close()
})
