/** What was deleted on request is not stored again, whatever its files say of their sessions. */
import assert from 'node:assert/strict'
import { zstdDecompressSync } from 'node:zlib'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createDeriver } from '../../src/transcripts/derive/index.ts'
import { deriveAgain } from '../../src/transcripts/ingest/derive-again.ts'
import { createTranscriptSearch } from '../../src/transcripts/search/index.ts'
import { lockTable } from '../harness/database.ts'
import { startProduct } from '../harness/product.ts'
import { waitFor } from '../harness/wait.ts'
import { get, lineOf, segment, sendFile, sessions, show, type Sent } from './archive.ts'
import { at, pngData } from './sample.ts'

const server = await startProduct()
const { call, key } = server
const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
const { pool, close } = openDatabase(server.target, log)
after(close)
const deriver = createDeriver()
after(() => deriver.close())
const search = createTranscriptSearch({ pool, deriver })
after(() => search.close())

async function erase(externalId: string): Promise<void> {
  const found = (await sessions(server)).find(({ external_id }) => external_id === externalId)
  const { status } = await call(`/api/transcripts/${found?.id}`, { key, method: 'DELETE' })
  assert.equal(status, 204)
}

/** Sends what a file gained. */
async function append(file: Sent, lines: string[]): Promise<void> {
  const source = { machine: 'laptop', assistant: file.assistant, root: '/home/dev/root', path: file.path }
  const query = new URLSearchParams(source)
  const { position } = await get(server, `/api/transcripts/ingest/position?${query.toString()}`)
  const { status, text } = await call('/api/transcripts/ingest', {
    key,
    json: segment(file, lines, position.offset),
  })
  assert.equal(status, 200, text)
}

/** The lines that are kept of a file, and how many images. */
async function kept({ path }: Sent): Promise<{ lines: string; images: number }> {
  const of = 'where source_no = (select no from transcripts.sources where path = $1)'
  const { rows: chunks } = await pool.query<{ data: Buffer }>(
    `select data from transcripts.chunks ${of} order by first_line`,
    [path],
  )
  const { rows: images } = await pool.query(
    `select from transcripts.source_blobs join transcripts.blobs using (sha256) ${of}`,
    [path],
  )
  const lines = chunks.map(({ data }) => zstdDecompressSync(data).toString('utf8')).join('\n')
  return { lines, images: images.length }
}

const nothing = { lines: '', images: 0 }
const image = { inlineData: { mimeType: 'image/png', data: pngData } }
const said = (id: string, second: number, content: unknown) =>
  JSON.stringify({ id, timestamp: at(second), type: 'user', content })

const chat: Sent = {
  assistant: 'gemini',
  path: 'tmp/shop/chats/session-2026-11-16T12-00-f7878a84.jsonl',
  lines: [
    JSON.stringify({ sessionId: 'f7878a84', projectHash: 'ba22', startTime: at(0), kind: 'main' }),
    said('u1', 1, [{ text: 'a zeppelin' }, image]),
  ],
}

test('of a chat whose first line alone names its session nothing is stored again after its deletion', async () => {
  await sendFile(server, chat)
  await erase('f7878a84')
  assert.deepEqual(await kept(chat), nothing)
  await append(chat, [said('u2', 2, [{ text: 'a second zeppelin' }, image])])
  await append(chat, [said('u3', 3, [{ text: 'a third zeppelin' }])])
  assert.deepEqual(await kept(chat), nothing)
})

test('a new parser does not forget whose the lines of a deleted session are', async () => {
  await pool.query("update transcripts.sources set parser_version = 0 where assistant = 'gemini'")
  await append(chat, [said('u4', 4, [{ text: 'a fourth zeppelin' }])])
  await deriveAgain({ pool, deriver, search, log })
  await append(chat, [said('u5', 5, [{ text: 'a fifth zeppelin' }])])
  assert.deepEqual(await kept(chat), nothing)
  assert.deepEqual((await get(server, '/api/transcripts/search?q=zeppelin')).data, [])
})

test('of a second file of a deleted session nothing is stored', async () => {
  const resumed = { ...chat, path: 'tmp/shop/chats/session-2026-11-17T12-00-f7878a84.jsonl' }
  await sendFile(server, resumed, [1])
  assert.deepEqual(await kept(resumed), nothing)
})

const row = (table: string, id: string, of: object, data: object = {}) =>
  JSON.stringify({ table, id, time_created: 1000, directory: '/home/dev/shop', ...of, data })
const text = (id: string, of: string, words: string, more: object = { type: 'text', text: words }) =>
  JSON.stringify({ ...JSON.parse(row('part', id, { session_id: of }, more)), message: { role: 'user' } })
const picture = (id: string, of: string, data = pngData) =>
  text(id, of, '', { type: 'file', mime: 'image/png', url: `data:image/png;base64,${data}` })
const database: Sent = {
  assistant: 'opencode',
  path: 'opencode.db',
  lines: [
    row('session', 'ses_kept', {}),
    row('session', 'ses_gone', {}),
    text('prt_1', 'ses_kept', 'a balloon'),
    text('prt_2', 'ses_gone', 'a zeppelin'),
  ],
}
const otherPicture = Buffer.from('another image').toString('base64')

test('of a database that other sessions share only theirs is stored after a deletion', async () => {
  await sendFile(server, database)
  await erase('ses_gone')
  await append(database, [
    picture('prt_3', 'ses_gone', `${pngData.slice(0, -1)}AAA=`),
    row('message', 'm1', { session_id: 'ses_gone' }, { role: 'user', summary: 'about zeppelins' }),
    text('prt_4', 'ses_gone', 'a second zeppelin'),
    text('prt_5', 'ses_kept', 'a second balloon'),
    picture('prt_6', 'ses_kept'),
  ])
  const { lines, images } = await kept(database)
  assert.doesNotMatch(lines, /zeppelin/)
  assert.match(lines, /a balloon[^]+a second balloon/)
  assert.equal(images, 1)
})

test('of rows of a deleted session alone nothing is stored, also of those that show nothing', async () => {
  const before = await kept(database)
  await append(database, [
    row('message', 'm2', { session_id: 'ses_gone' }, { role: 'user', summary: 'about zeppelins' }),
  ])
  await append(database, [
    text('prt_7', 'ses_gone', 'a zeppelin'),
    picture('prt_8', 'ses_gone', otherPicture),
  ])
  assert.deepEqual(await kept(database), before)
})

test('a session is not stored again by rows of another that arrive during its deletion', async () => {
  const file: Sent = {
    ...database,
    path: 'opencode-next.db',
    lines: [
      row('session', 'ses_stays', {}),
      row('session', 'ses_goes', {}),
      text('prt_b', 'ses_stays', 'a balloon'),
      text('prt_c', 'ses_goes', 'a zeppelin'),
    ],
  }
  await sendFile(server, file)
  const held = await lockTable('transcripts.deleted_sessions', server)
  const erased = erase('ses_goes')
  await waitFor('the deletion', async () => (await held.waiting()) > 0)
  const appended = append(file, [text('prt_d', 'ses_stays', 'a second balloon')])
  await waitFor('the rows', async () => {
    const { rowCount } = await pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rowCount !== 0
  })
  await held.release()
  await Promise.all([erased, appended])
  const { lines } = await kept(file)
  assert.doesNotMatch(lines, /zeppelin/)
  assert.match(lines, /a second balloon/)
})

test('rows that came before the older ones were read again are erased when they are', async () => {
  await pool.query("update transcripts.sources set parser_version = 0 where assistant = 'opencode'")
  await append(database, [
    text('prt_9', 'ses_gone', 'a late zeppelin'),
    text('prt_a', 'ses_kept', 'a late one'),
  ])
  await deriveAgain({ pool, deriver, search, log })
  const { lines } = await kept(database)
  assert.doesNotMatch(lines, /zeppelin/)
  assert.match(lines, /a late one/)
})

test('a subagent that is deleted takes its lines along, and none of the session that started it', async () => {
  const task = { status: 'completed', output: 'two balloons', metadata: { sessionId: 'ses_child' } }
  const called = text('prt_1', 'ses_parent', '', { type: 'tool', tool: 'task', callID: 'c1', state: task })
  const file: Sent = {
    ...database,
    path: 'opencode-tasks.db',
    lines: [
      row('session', 'ses_parent', {}),
      row('session', 'ses_child', { parent_id: 'ses_parent' }),
      called,
      text('prt_2', 'ses_child', 'a zeppelin'),
    ],
  }
  await sendFile(server, file)
  await erase('ses_child')
  await append(file, [text('prt_3', 'ses_child', 'a second zeppelin'), called])
  await pool.query("update transcripts.sources set parser_version = 0 where assistant = 'opencode'")
  await deriveAgain({ pool, deriver, search, log })
  const { lines } = await kept(file)
  assert.doesNotMatch(lines, /zeppelin/)
  const [parent, ...others] = (await sessions(server)).filter(({ external_id }) =>
    ['ses_parent', 'ses_child'].includes(external_id),
  )
  assert.deepEqual([parent?.external_id, others], ['ses_parent', []])
  const { messages } = await show(server, parent?.id ?? '')
  assert.deepEqual(messages.map(lineOf), ['assistant tool_call task', 'tool tool_result two balloons'])
})

test('of a deleted subagent also the events that show nothing are gone', async () => {
  const event = (id: string, type: string, data: object, more: object = {}) =>
    JSON.stringify({ type, id, timestamp: at(1), data, ...more })
  const agent = { agentId: 'agent-1' }
  const request = { toolCallId: 'c1', name: 'create', arguments: { path: 'zeppelin.txt' } }
  const file: Sent = {
    assistant: 'copilot',
    path: 'session-state/953ccd7d/events.jsonl',
    lines: [
      event('e1', 'user.message', { content: 'a balloon' }),
      event('e2', 'subagent.started', { agentDescription: 'a zeppelin' }, agent),
      event('e3', 'assistant.message_delta', { deltaContent: 'a zepp' }, agent),
      event('e4', 'assistant.message', { content: 'a zeppelin', toolRequests: [request] }, agent),
      event('e5', 'tool.execution_start', { ...request, toolName: 'create' }, agent),
      event('e6', 'session.model_change', { newModel: 'zeppelin-1' }, agent),
      event('e7', 'assistant.message', { content: 'two balloons' }),
    ],
  }
  await sendFile(server, file)
  await erase('agent-1')
  assert.deepEqual(
    (await kept(file)).lines.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).id)),
    ['e1', '', '', '', '', '', 'e7'],
  )
  await append(file, [event('e8', 'tool.execution_start', { ...request, toolName: 'create' }, agent)])
  await append(file, [event('e9', 'session.model_change', { newModel: 'zeppelin-1' }, agent)])
  assert.doesNotMatch((await kept(file)).lines, /zeppelin/)
})
