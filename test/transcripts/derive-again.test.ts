/** A newer parser reads the kept lines again: rows are replaced, ids stay, nothing that came meanwhile is lost. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createDeriver } from '../../src/transcripts/derive/index.ts'
import { deriveAgain } from '../../src/transcripts/ingest/derive-again.ts'
import { createTranscriptSearch } from '../../src/transcripts/search/index.ts'
import { startProduct } from '../harness/product.ts'
import { filesOf, formOf, get, segment, sendFile, sessions, show } from './archive.ts'
import { samples } from './samples/index.ts'

const server = await startProduct()
const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
const database = openDatabase(server.target, log)
after(() => database.close())
const deriver = createDeriver()
after(() => deriver.close())
const { pool } = database
const search = createTranscriptSearch({ pool, deriver })
after(() => search.close())

const files = samples.flatMap(filesOf)
for (const file of files) await sendFile(server, file, [2, 3])

async function content(): Promise<unknown[]> {
  const shown = []
  for (const { id } of await sessions(server)) {
    const { session, messages } = await show(server, id)
    shown.push({ session, messages, unknown: await get(server, `/api/transcripts/${id}/unknown`) })
  }
  return shown
}

/** As if everything had been read by an older parser, which understood less and saw what is not there. */
async function makeOld(): Promise<void> {
  await pool.query('update transcripts.sources set parser_version = 0')
  await pool.query('update transcripts.usage set version = 0, output_tokens = output_tokens + 1000')
  await pool.query(
    `update transcripts.messages set version = 0,
       content = case when kind = 0 and place < 'infinity' then 'not understood' else content end`,
  )
}

test('sessions that an older parser read are what the present one makes of their lines', async () => {
  const before = await content()
  await makeOld()
  await pool.query(
    `insert into transcripts.messages (session_no, key, place, version, role, kind, is_partial, is_cut, content)
     select no, '00000000-0000-0000-0000-000000000001', 1, 0, 0, 0, false, false, 'seen by mistake'
     from transcripts.sessions where assistant = 'claude-code'`,
  )
  assert.notDeepEqual(await content(), before)
  const sources = files.filter((file) => formOf(file) !== undefined).length
  assert.equal(await deriveAgain({ pool, deriver, search, log }), sources)
  assert.deepEqual(await content(), before)
  assert.equal(await deriveAgain({ pool, deriver, search, log }), 0)
})

test('a file whose lines cannot be read keeps no other one waiting', async () => {
  const [{ no } = { no: '' }] = (
    await pool.query<{ no: string }>('select min(source_no) as no from transcripts.chunks')
  ).rows
  await pool.query('create table kept as select * from transcripts.chunks where source_no = $1', [no])
  await pool.query(`update transcripts.chunks set data = '\\x00' where source_no = $1`, [no])
  await makeOld()
  const silent = await createLog({ level: 'fatal', form: 'json', destination: process.stderr })
  const sources = files.filter((file) => formOf(file) !== undefined).length
  assert.equal(await deriveAgain({ pool, deriver, search, log: silent }), sources - 1)
  await pool.query(
    `update transcripts.chunks c set data = k.data from kept k
     where k.source_no = c.source_no and k.first_line = c.first_line`,
  )
  assert.equal(await deriveAgain({ pool, deriver, search, log }), 1)
})

test('lines that come before the older ones were read again wait for them', async () => {
  const [codex] = samples.filter(({ assistant }) => assistant === 'codex').flatMap(filesOf)
  assert.ok(codex)
  const line = JSON.stringify({
    timestamp: '2026-11-16T13:00:00.000Z',
    type: 'event_msg',
    payload: { type: 'user_message', message: 'and one more' },
  })
  const find = async () =>
    (await get(server, '/api/transcripts/search?q="one+more"&assistant=codex')).data.length
  await makeOld()
  const from = codex.lines.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0)
  const { status } = await server.call('/api/transcripts/ingest', {
    key: server.key,
    json: segment(codex, [line], from),
  })
  assert.equal(status, 200)
  assert.equal(await find(), 0)
  await deriveAgain({ pool, deriver, search, log })
  assert.equal(await find(), 1)
})
