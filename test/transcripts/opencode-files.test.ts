/** Sessions that opencode before 1.2 keeps in files. */
import assert from 'node:assert/strict'
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { opencode } from '../../src/transcripts/assistants/opencode/index.ts'
import { startProduct, temporaryFolder } from '../harness/product.ts'
import { waitFor } from '../harness/wait.ts'
import { get, lineOf, sendFile, sessions, show } from './archive.ts'
import { Derived, readLines } from './derive.ts'
import {
  child,
  expectedMessages,
  reply,
  session,
  sessionPath,
  store,
  storeConversation,
  storeMessage,
  storePart,
  storeSession,
} from './opencode-files.ts'
import { setScene } from './watcher/scene.ts'

const server = await startProduct()

function linesOf(root: string, path: string, cursor: unknown = null): string[] {
  return opencode.snapshot?.(join(root, path), cursor).lines ?? []
}

function derive(root: string, ids: string[]): Derived {
  const derived = new Derived()
  for (const id of ids) {
    const source = opencode.source(sessionPath(id))
    assert.ok(source)
    readLines(opencode, source, linesOf(root, sessionPath(id)), derived)
  }
  return derived
}

test('a session in files has the messages, tokens and files that they hold', async () => {
  const root = temporaryFolder()
  storeConversation(root)
  assert.equal(await opencode.isRoot(root), true)
  const derived = derive(root, [session, child])
  assert.deepEqual(
    Object.fromEntries([...derived.messages.keys()].map((key) => [key, derived.lines(key)])),
    expectedMessages,
  )
  assert.partialDeepStrictEqual(derived.sessions.get(session), {
    project: '/home/dev/shop',
    version: '1.1.36',
    title: 'Total of the basket',
    startedAt: new Date(1_759_999_000_000),
  })
  assert.partialDeepStrictEqual(derived.sessions.get(child), { parentKey: session })
  // 80 + 20 tokens in, of which 20 cached; 10 + 5 out.
  assert.deepEqual(derived.tokens(), [100, 20, 0, 15])
  assert.deepEqual([...derived.files], ['/home/dev/shop/total.ts'])
  assert.equal(derived.unknown, 0)
})

test('a message is counted when it has ended, not also when its counts are written', () => {
  const root = temporaryFolder()
  storeSession(root)
  storeMessage(root, 1, { ...reply, time: { created: reply.time.created } })
  assert.deepEqual(derive(root, [session]).tokens(), [0, 0, 0, 0])
  storeMessage(root, 1, reply)
  assert.deepEqual(derive(root, [session]).tokens(), [100, 20, 0, 15])
})

test('a file comes again when it changed, otherwise never, and a large session in several snapshots', () => {
  const root = temporaryFolder()
  const file = join(root, sessionPath())
  storeSession(root)
  const message = storeMessage(root, 1, { role: 'user' })
  for (let part = 2; part < 102; part++)
    storePart(root, message, part, { type: 'text', text: `text ${part}` }, session, 1_000 + (part % 3))
  const seen: string[] = []
  let cursor: unknown = null
  for (let hasMore = true; hasMore;) {
    const snapshot = opencode.snapshot?.(file, cursor, 30)
    assert.ok(snapshot)
    seen.push(...snapshot.lines)
    cursor = JSON.parse(JSON.stringify(snapshot.cursor))
    ;({ hasMore } = snapshot)
  }
  assert.equal(seen.length, 102)
  assert.equal(new Set(seen).size, 102)
  assert.deepEqual(linesOf(root, sessionPath(), cursor), [])
  storePart(root, message, 50, { type: 'text', text: 'longer' }, session, 1_003)
  const [line = '', ...others] = linesOf(root, sessionPath(), cursor)
  assert.match(line, /"text":"longer"/)
  assert.deepEqual(others, [])
})

test('a file that changed a moment ago is looked at again, since it may be half written', () => {
  const root = temporaryFolder()
  storeSession(root)
  const message = storeMessage(root, 1, { role: 'user' })
  const part = storePart(root, message, 2, {})
  const file = join(root, `storage/part/${message}/${part}.json`)
  writeFileSync(file, '{"type": "te')
  let cursor: unknown
  let now: number
  // On a busy machine the moment may be over before the snapshot is taken.
  do {
    now = Date.now()
    utimesSync(file, now / 1_000, now / 1_000)
    const snapshot = opencode.snapshot?.(join(root, sessionPath()), null)
    assert.equal(snapshot?.hasMore, false)
    ;({ cursor } = snapshot)
  } while (Date.now() - now > 50)
  storePart(root, message, 2, { type: 'text', text: 'whole' }, session, now / 1_000)
  assert.match(linesOf(root, sessionPath(), cursor).join(), /"text":"whole"/)
})

test('a file that is not JSON is an unknown record and harms no other', () => {
  const root = temporaryFolder()
  storeConversation(root)
  const message = storeMessage(root, 20, { role: 'user' })
  for (const [count, content] of ['text', [], null].entries())
    store(root, `storage/part/${message}/prt_b96306d83${count}.json`, content)
  const derived = derive(root, [session])
  assert.equal(derived.unknown, 3)
  assert.deepEqual(derived.lines(session), expectedMessages[session])
})

test('neither a link nor an id within a file leads out of the storage', () => {
  const root = temporaryFolder()
  const outside = temporaryFolder()
  storeSession(root)
  const secret = { type: 'text', text: 'secret' }
  store(outside, 'prt_1.json', secret)
  store(root, 'secret.json', { role: 'user', ...secret })
  const message = storeMessage(root, 1, { role: 'user', id: '../../../secret' })
  storePart(root, message, 2, { type: 'text', text: 'own', messageID: '../../../secret' })
  symlinkSync(join(outside, 'prt_1.json'), join(root, `storage/part/${message}/prt_1.json`))
  const linked = storeMessage(root, 3, { role: 'user' })
  symlinkSync(outside, join(root, `storage/part/${linked}`))
  const lines = linesOf(root, sessionPath()).join()
  assert.match(lines, /"text":"own"/)
  assert.doesNotMatch(lines, /"text":"secret"/)
})

test('the watcher follows the files of a session, also those that it does not watch itself', async () => {
  const scene = await setScene()
  const root = join(scene.home, '.local/share/opencode')
  storeConversation(root)
  await scene.run()
  assert.deepEqual([...scene.sink.sources.keys()].toSorted(), [sessionPath(), sessionPath(child)].toSorted())
  const now = Date.now() / 1_000
  // A step of an answer: its parts, then the message.
  const asked = storeMessage(root, 32, { role: 'assistant' }, session, now - 5)
  storePart(root, asked, 33, { type: 'text', text: 'and more' }, session, now - 4)
  storeMessage(root, 32, reply, session, now - 3)
  await waitFor('the part', () => /and more/.test(scene.sink.lines(sessionPath()).join()))
  const later = 'ses_469cf0000ffeA1b2C3d4E5f6G7'
  storeSession(root, later)
  const first = storeMessage(root, 48, { role: 'user' }, later, now - 2)
  storePart(root, first, 49, { type: 'text', text: 'a new session' }, later, now - 2)
  storeMessage(root, 48, { role: 'user' }, later, now - 1)
  await waitFor('the session', () => /a new session/.test(scene.sink.lines(sessionPath(later)).join()))
  rmSync(join(root, sessionPath()))
  await waitFor('the report', () => scene.sink.sources.get(sessionPath())?.isMissing === true)
})

test('a session that is in files and in the database is one session, with the title of the database', async () => {
  const root = temporaryFolder()
  storeConversation(root)
  const file = join(root, 'opencode.db')
  migrate(root, file)
  const send = (path: string) =>
    sendFile(server, { assistant: 'opencode', path, lines: linesOf(root, path) }, [])
  await send('opencode.db')
  await send(sessionPath())
  const found = await sessions(server, '?include=subagents&assistant=opencode')
  assert.deepEqual(
    found.map(({ external_id, title, input_tokens }) => [external_id, title, input_tokens]),
    [[session, 'Renamed later', 100]],
  )
  const shown = await show(server, found[0]?.id ?? '')
  assert.deepEqual(shown.messages.map(lineOf), expectedMessages[session])
  const { data } = await get(server, `/api/transcripts/${found[0]?.id}/unknown`)
  assert.deepEqual(data, [])
})

interface Row {
  table: string
  id: string
  message_id: string
  time_created: number
  data?: Record<string, unknown>
}

/** As opencode 1.2 does it with the files of a session: the ids stay, the ids within the JSON go. */
function migrate(root: string, file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    create table session (id text primary key, parent_id text, directory text, title text, version text,
      time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
    create table part (id text primary key, message_id text, session_id text, time_created integer,
      time_updated integer, data text);
    insert into session values ('${session}', null, '/home/dev/shop', 'Renamed later', '1.1.36', 1759999000000, 2)`)
  for (const line of linesOf(root, sessionPath())) {
    const { table, id, message_id, time_created, data = {} } = JSON.parse(line) as Row
    const { id: _id, sessionID: _session, messageID: _message, ...rest } = data
    const common = [session, time_created, 2, JSON.stringify(rest)]
    if (table === 'message') database.prepare('insert into message values (?, ?, ?, ?, ?)').run(id, ...common)
    else if (table === 'part')
      database.prepare('insert into part values (?, ?, ?, ?, ?, ?)').run(id, message_id, ...common)
  }
  database.close()
}
