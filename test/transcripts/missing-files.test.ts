/** When a session says that its files are gone. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createDeriver } from '../../src/transcripts/derive/index.ts'
import { deriveAgain } from '../../src/transcripts/ingest/derive-again.ts'
import { createTranscriptSearch } from '../../src/transcripts/search/index.ts'
import { startProduct } from '../harness/product.ts'
import { segment, sendFile, sessions, type Sent } from './archive.ts'
import { at } from './sample.ts'

const server = await startProduct()
const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
const { pool, close } = openDatabase(server.target, log)
after(close)
const deriver = createDeriver()
after(() => deriver.close())
const search = createTranscriptSearch({ pool, deriver })
after(() => search.close())

async function reportMissing({ assistant, path }: Sent): Promise<void> {
  const json = { machine: 'laptop', root: '/home/dev/root', assistant, path }
  const { status } = await server.call('/api/transcripts/ingest/missing', { key: server.key, json })
  assert.equal(status, 204)
}

async function isMissing(key: string): Promise<boolean | undefined> {
  return (await sessions(server)).find(({ external_id }) => external_id === key)?.source_missing
}

const said = (text: string, second: number) =>
  JSON.stringify({
    timestamp: at(second),
    type: 'event_msg',
    payload: { type: 'user_message', message: text },
  })
const rollout = (thread: string): Sent => ({
  assistant: 'codex',
  path: `sessions/2026/11/16/rollout-2026-11-16T12-00-00-${thread}.jsonl`,
  lines: [said('hello', 1)],
})
const names = (thread: string): Sent => ({
  assistant: 'codex',
  path: 'session_index.jsonl',
  lines: [JSON.stringify({ id: thread, thread_name: 'Total' })],
})

test('a session whose file is gone says so until the file gains lines, whatever else is written of it', async () => {
  const thread = '01a1e5a4-0000-7000-8000-000000000011'
  const file = rollout(thread)
  await sendFile(server, file)
  await reportMissing(file)
  assert.equal(await isMissing(thread), true)
  await sendFile(server, names(thread))
  assert.equal(await isMissing(thread), true)
  await pool.query('update transcripts.sources set parser_version = 0')
  assert.equal(await deriveAgain({ pool, deriver, search, log }), 2)
  assert.equal(await isMissing(thread), true)
  const from = Buffer.byteLength(file.lines[0] ?? '') + 1
  const json = segment(file, [said('and more', 2)], from)
  const { status } = await server.call('/api/transcripts/ingest', { key: server.key, json })
  assert.equal(status, 200)
  assert.equal(await isMissing(thread), false)
})

test('a thread that was renamed says that its file is gone, and the file of names changes nothing', async () => {
  const thread = '01a1e5a4-0000-7000-8000-000000000012'
  const file = rollout(thread)
  await sendFile(server, file)
  await sendFile(server, names(thread), [], { root: '/home/dev/other' })
  await reportMissing(file)
  assert.equal(await isMissing(thread), true)
})

test('a session with a second file is not without its file before both are gone', async () => {
  const lines = [
    JSON.stringify({ sessionId: 'f7878a84', projectHash: 'ba22', startTime: at(0), kind: 'main' }),
    JSON.stringify({ id: 'u1', timestamp: at(1), type: 'user', content: 'hello' }),
  ]
  const [first, second] = [16, 17].map((day) => ({
    assistant: 'gemini' as const,
    path: `tmp/shop/chats/session-2026-11-${day}T12-00-f7878a84.jsonl`,
    lines,
  }))
  assert.ok(first && second)
  await sendFile(server, first)
  await sendFile(server, second)
  await reportMissing(first)
  assert.equal(await isMissing('f7878a84'), false)
  await reportMissing(second)
  assert.equal(await isMissing('f7878a84'), true)
})

test('a fork that repeats a response does not bring back the file of the original', async () => {
  const [original, fork] = ['1', '2'].map((digit) => `${digit.repeat(8)}-6666-4666-8666-666666666666`)
  assert.ok(original && fork)
  const response = (output: number, second: number) =>
    JSON.stringify({
      type: 'assistant',
      uuid: 'a1',
      timestamp: at(second),
      message: {
        id: 'msg_1',
        model: 'claude-opus-5',
        content: [{ type: 'text', text: 'Done.' }],
        usage: { input_tokens: 10, output_tokens: output },
      },
    })
  const file = (id: string, line: string): Sent => ({
    assistant: 'claude-code',
    path: `projects/-home-dev-shop/${id}.jsonl`,
    lines: [line],
  })
  await sendFile(server, file(original, response(5, 1)))
  await reportMissing(file(original, ''))
  await sendFile(server, file(fork, response(7, 2)))
  assert.deepEqual([await isMissing(original), await isMissing(fork)], [true, false])
  const counted = (await sessions(server)).find(({ external_id }) => external_id === original)
  assert.equal(counted?.output_tokens, 7, 'the original was written')
})

test('a file that several sessions share brings back all when it returns, and one when it is its second', async () => {
  const row = (id: string, text: string) => {
    const data = { type: 'text', text }
    const part = { id: `prt_${id}_${text}`, session_id: id, time_created: 1000 }
    return JSON.stringify({ table: 'part', ...part, message: { role: 'user' }, data })
  }
  const shared = (path: string, ids: string[]): Sent => ({
    assistant: 'opencode',
    path,
    lines: ids.map((id) => row(id, 'hello')),
  })
  const state = () => Promise.all(['ses_1', 'ses_2', 'ses_3'].map(isMissing))
  const first = shared('opencode.db', ['ses_1', 'ses_2'])
  const second = shared('opencode-next.db', ['ses_3'])
  await sendFile(server, first)
  await sendFile(server, second)
  await reportMissing(first)
  assert.deepEqual(await state(), [true, true, false])

  const append = async (file: Sent, from: number, id: string) => {
    const json = segment(file, [row(id, 'and more')], from)
    const { status } = await server.call('/api/transcripts/ingest', { key: server.key, json })
    assert.equal(status, 200)
  }
  const bytes = row('ses_1', 'hello').length + 1
  await append(first, 2 * bytes, 'ses_1')
  assert.deepEqual(await state(), [false, false, false])

  await reportMissing(first)
  await append(second, bytes, 'ses_2')
  assert.deepEqual(await state(), [true, false, false])

  await pool.query("update transcripts.sources set parser_version = 0 where assistant = 'opencode'")
  await append(second, bytes + row('ses_2', 'and more').length + 1, 'ses_1')
  assert.deepEqual(await state(), [true, false, false], 'not read yet')
  await deriveAgain({ pool, deriver, search, log })
  assert.deepEqual(await state(), [false, false, false])
})
