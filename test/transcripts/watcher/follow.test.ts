import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { mainPath, session, setScene, userLine } from './scene.ts'

test('what is there is stored, and what is appended is stored when it comes', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n${userLine('two')}\n`)
  await scene.run()
  assert.deepEqual(scene.sink.lines(mainPath), [userLine('one'), userLine('two')])
  appendFileSync(file, `${userLine('three')}\n`)
  await waitFor('the third line', () => scene.sink.lines(mainPath).length === 3)
  assert.equal(scene.sink.sources.get(mainPath)?.position.generation, 0)
})

test('a line is stored when it is complete, and only once', async () => {
  const scene = await setScene()
  const line = userLine('grüße')
  const file = scene.write(mainPath, `${userLine('one')}\n${line.slice(0, 70)}`)
  await scene.run()
  assert.deepEqual(scene.sink.lines(mainPath), [userLine('one')])
  appendFileSync(file, `${line.slice(70)}\n`)
  await waitFor('the line', () => scene.sink.lines(mainPath).length === 2)
  assert.equal(scene.sink.lines(mainPath)[1], line)
})

test('a watcher that has read a file to half a line is not behind, and one that has not is', async () => {
  const scene = await setScene()
  const half = userLine('two').slice(0, 50)
  const file = scene.write(mainPath, `${userLine('one')}\n${half}`)
  const behind = (): number | undefined => scene.watcher.status().roots[0]?.behindBytes
  const isTaken = Promise.withResolvers<number | undefined>()
  scene.sink.beforeTake = () => isTaken.resolve(behind())
  await scene.run()
  assert.equal(await isTaken.promise, userLine('one').length + 1 + half.length)
  assert.equal(behind(), 0)
  appendFileSync(file, `${userLine('two').slice(50)}\n`)
  await waitFor('the line', () => scene.sink.lines(mainPath).length === 2)
  assert.equal(behind(), 0)
})

test("Claude Code's folder of projects may be named itself, also before it has a session", async () => {
  const scene = await setScene({ entries: (home) => [join(home, '.claude', 'projects')] })
  await scene.run()
  assert.deepEqual(
    scene.watcher.status().roots.map(({ path }) => path),
    [scene.root],
  )
  scene.write(mainPath, `${userLine('one')}\n`)
  await waitFor('the line', () => scene.sink.lines(mainPath).length === 1)
  const elsewhere = await setScene({ entries: (home) => [join(home, 'copy', 'projects')] })
  const copy = join(elsewhere.home, 'copy', mainPath)
  mkdirSync(join(copy, '..'), { recursive: true })
  writeFileSync(copy, `${userLine('one')}\n`)
  await elsewhere.run()
  assert.deepEqual(elsewhere.sink.lines(mainPath), [userLine('one')])
})

test('a folder that is missing or holds no session is named in the status until it has one', async () => {
  const scene = await setScene({ entries: (home) => [home, join(home, 'nowhere')] })
  await scene.run()
  const missing = `The folder ${join(scene.home, 'nowhere')} does not exist.`
  assert.equal(scene.watcher.status().problem, `The folder ${scene.home} holds no sessions. ${missing}`)
  scene.write(mainPath, `${userLine('one')}\n`)
  await waitFor('the line', () => scene.sink.lines(mainPath).length === 1)
  assert.equal(scene.watcher.status().problem, missing)
})

test('new files in new folders are found', async () => {
  const scene = await setScene()
  await scene.run()
  scene.write(mainPath, `${userLine('one')}\n`)
  await waitFor('the file', () => scene.sink.lines(mainPath).length === 1)
  const below = `projects/-home-dev-shop/${session}/subagents/agent-a1.jsonl`
  scene.write(below, `${userLine('task')}\n`)
  await waitFor("the subagent's file", () => scene.sink.lines(below).length === 1)
})

test("an assistant's folder that appears later is found, in a home folder and in an empty entry", async () => {
  const home = temporaryFolder()
  const scene = await setScene({ home, entries: () => [home, join(home, 'entry')] })
  mkdirSync(join(home, 'entry'))
  await scene.run()
  const rollout = 'sessions/2026/11/16/rollout-2026-11-16T12-00-00-0190b3a2-1111-4222-8333-444455556666.jsonl'
  mkdirSync(join(home, '.codex', rollout, '..'), { recursive: true })
  writeFileSync(join(home, '.codex', rollout), '{"type":"session_meta","payload":{}}\n')
  await waitFor('the folder of Codex', () => scene.sink.lines(rollout).length === 1)
  const chat = 'projects/shop/chats/0190.jsonl'
  mkdirSync(join(home, 'entry', chat, '..'), { recursive: true })
  writeFileSync(join(home, 'entry', chat), '{"type":"user"}\n')
  await waitFor('the folder of Qwen', () => scene.sink.lines(chat).length === 1)
})

test('a file that is deleted is reported as missing, its lines stay', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n`)
  await scene.run()
  rmSync(file)
  await waitFor('the report', () => scene.sink.sources.get(mainPath)?.isMissing === true)
  assert.deepEqual(scene.sink.lines(mainPath), [userLine('one')])
})

test('a file that is deleted while no watcher runs is reported as missing by the next one', async () => {
  const scene = await setScene()
  const file = scene.write(mainPath, `${userLine('one')}\n`)
  const other = `projects/-home-dev-shop/${session.replaceAll('1', '2')}.jsonl`
  scene.write(other, `${userLine('two')}\n`)
  await scene.run()
  await scene.watcher.stop()
  rmSync(file)
  const next = await setScene({ home: scene.home, sink: scene.sink })
  await next.run()
  assert.equal(next.sink.sources.get(mainPath)?.isMissing, true)
  assert.equal(next.sink.sources.get(other)?.isMissing, false)
})

test('a folder that is renamed is followed under its new name', async () => {
  const scene = await setScene()
  scene.write(mainPath, `${userLine('one')}\n`)
  await scene.run()
  renameSync(join(scene.root, 'projects/-home-dev-shop'), join(scene.root, 'projects/-home-dev-store'))
  const later = mainPath.replace('shop', 'store')
  await waitFor('the new name', () => scene.sink.lines(later).length === 1)
  await waitFor('the old one', () => scene.sink.sources.get(mainPath)?.isMissing === true)
})

test('documents are stored once for each version', async () => {
  const scene = await setScene()
  const path = `projects/-home-dev-shop/${session}/custom-title.json`
  const file = scene.write(path, '{\n  "customTitle": "One"\n}')
  await scene.run()
  assert.deepEqual(scene.sink.lines(path), ['{"customTitle":"One"}'])
  writeFileSync(file, '{"customTitle": "One"')
  writeFileSync(file, '{"customTitle": "Two"}')
  await waitFor('the second version', () => scene.sink.lines(path).length === 2)
  assert.equal(scene.sink.lines(path)[1], '{"customTitle":"Two"}')
  const text = `projects/-home-dev-shop/${session}/tool-results/a.txt`
  scene.write(text, 'line 1\nline "2"\n')
  await waitFor('the output', () => scene.sink.lines(text).length === 1)
  assert.equal(scene.sink.lines(text)[0], JSON.stringify('line 1\nline "2"\n'))
})

test('rows of a database are stored when they change, also while they are only in its log', async () => {
  const scene = await setScene()
  const folder = join(scene.home, '.local/share/opencode')
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'opencode.db'))
  database.exec(`pragma journal_mode = wal;
    create table session (id text primary key, parent_id text, directory text, title text, version text,
      time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
    create table part (id text primary key, message_id text, session_id text, time_created integer,
      time_updated integer, data text);
    insert into session values ('ses_1', null, '/shop', 'One', '1', 1, 1)`)
  await scene.run()
  assert.equal(scene.sink.lines('opencode.db').length, 1)
  database.exec(`update session set title = 'Two', time_updated = 2`)
  await waitFor('the change', () => scene.sink.lines('opencode.db').length === 2)
  assert.match(scene.sink.lines('opencode.db')[1] ?? '', /"title":"Two"/)
  database.close()
})

test('links out of the root are not followed, and the status says so', async () => {
  const scene = await setScene()
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'other.jsonl'), `${userLine('secret')}\n`)
  mkdirSync(join(scene.root, 'projects/-home-dev-shop'))
  symlinkSync(join(outside, 'other.jsonl'), join(scene.root, mainPath))
  symlinkSync(outside, join(scene.root, 'projects/-linked'))
  scene.write('projects/-real/0190b3a2-1111-4222-8333-444455556667.jsonl', `${userLine('one')}\n`)
  await scene.run()
  assert.deepEqual(
    [...scene.sink.sources.keys()],
    ['projects/-real/0190b3a2-1111-4222-8333-444455556667.jsonl'],
  )
  const skipped = scene.watcher.status().skipped.map(({ path, reason }) => `${path} ${reason}`)
  assert.deepEqual(skipped.toSorted(), [`${mainPath} outside_root`, 'projects/-linked outside_root'])
})

test('the report says what is followed', async () => {
  const scene = await setScene()
  scene.write(mainPath, `${userLine('one')}\n`)
  await scene.run()
  await waitFor('a report', () => scene.sink.reports.at(-1)?.roots.length === 1)
  assert.deepEqual(scene.sink.reports.at(-1)?.roots, [
    { assistant: 'claude-code', path: scene.root, files: 1, behindBytes: 0 },
  ])
})

test('a file that its assistant has packed is read like the one it was', async () => {
  const home = temporaryFolder()
  const folder = join(home, '.codex/sessions/2026/11/01')
  const name = `sessions/2026/11/01/rollout-2026-11-01T12-00-00-${session}.jsonl`
  mkdirSync(folder, { recursive: true })
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    JSON.stringify({ type: 'event_msg', payload: { number: index, text: 'line '.repeat(300) } }),
  )
  const packed = join(home, '.codex', `${name}.zst`)
  writeFileSync(packed, zstdCompressSync(Buffer.from(`${lines.join('\n')}\n`)))
  const scene = await setScene({ home })
  await scene.run()
  assert.deepEqual(scene.sink.lines(`${name}.zst`), lines)
  assert.ok((scene.sink.sources.get(`${name}.zst`)?.segments.length ?? 0) > 1)
  await scene.watcher.stop()
  const segments = scene.sink.sources.get(`${name}.zst`)?.segments.length
  const next = await setScene({ home, sink: scene.sink })
  await next.run()
  assert.equal(next.sink.sources.get(`${name}.zst`)?.segments.length, segments)
})

test('a packed file that is broken is skipped and named', async () => {
  const home = temporaryFolder()
  const name = `archived_sessions/rollout-2026-11-01T12-00-00-${session}.jsonl.zst`
  mkdirSync(join(home, '.codex/archived_sessions'), { recursive: true })
  writeFileSync(join(home, '.codex/config.toml'), '')
  writeFileSync(
    join(home, '.codex', name),
    zstdCompressSync(Buffer.from('{"a":1}\n'.repeat(90))).subarray(0, 20),
  )
  const scene = await setScene({ home })
  await scene.run()
  assert.equal(scene.sink.sources.get(name), undefined)
  assert.deepEqual(
    scene.watcher.status().skipped.map(({ path, reason }) => [path, reason]),
    [[name, 'unreadable']],
  )
})
