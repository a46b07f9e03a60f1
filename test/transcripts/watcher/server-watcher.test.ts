import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer } from '#test/database'
import { startProduct, temporaryFolder } from '#test/product'
import { startClock } from '#test/time'
import { waitFor } from '#test/wait'
import { mainPath, session, userLine } from './scene.ts'

const home = temporaryFolder()
const file = join(home, '.claude', mainPath)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${record('the totals are off')}\n`)
const server = await startProduct({ TRANSCRIPTS_DIR: home, TRANSCRIPTS_MACHINE: 'workstation' })

function record(text: string): string {
  return JSON.stringify({
    ...(JSON.parse(userLine(text)) as object),
    sessionId: session,
    promptSource: 'typed',
  })
}

async function hits(word: string): Promise<number> {
  const { status, json } = await server.call(`/api/transcripts/search?q=${word}`)
  return status === 200 ? (json.data.length as number) : 0
}

test('the server follows the sessions of its own machine: an appended line is found within 2 seconds', async () => {
  await waitFor('the first message', () => hits('totals'))
  using sinceStarted = startClock()
  appendFileSync(file, `${record('rounding is to blame')}\n`)
  await waitFor('the second message', () => hits('rounding'))
  assert.ok(sinceStarted.ms() < 2_000)
})

test('the status of the watcher names its machine, folders and files', async () => {
  const status = await waitFor('the report', async () => {
    const { data } = (await server.call('/api/transcripts/watchers')).json
    return data.length > 0 && data[0].roots.length > 0 && data[0]
  })
  assert.equal(status.machine, 'workstation')
  assert.deepEqual(
    status.roots.map(({ assistant, path, files }: Record<string, unknown>) => ({ assistant, path, files })),
    [{ assistant: 'claude-code', path: join(home, '.claude'), files: 1 }],
  )
})

test('lines that the database cannot store are skipped, and the lines around them are stored', async () => {
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const { pool, close } = openDatabase(server.target, log)
  after(close)
  await pool.query(
    `create function refuse_poison() returns trigger language plpgsql as
       $$ begin raise exception 'out of range' using errcode = tg_argv[0]; end $$`,
  )
  for (const [word, code] of [
    ['poison', '22008'],
    ['venom', '54000'],
    ['toxin', '22012'],
  ])
    await pool.query(
      `create trigger ${word} before insert on transcripts.messages for each row
         when (new.content like '%${word}%') execute function refuse_poison('${code}')`,
    )
  const skipped = async () =>
    (await pool.query('select skipped_bytes::int from transcripts.sources')).rows[0].skipped_bytes
  appendFileSync(file, ['poison', 'venom', 'an antidote'].map((text) => `${record(text)}\n`).join(''))
  await waitFor('the line behind them', () => hits('antidote'))
  assert.equal(await skipped(), record('poison').length + record('venom').length)
  assert.deepEqual([await hits('poison'), await hits('venom')], [0, 0])

  // A fault of ours, which a later release may not have: HTTP would respond with 500.
  appendFileSync(file, `${record('toxin')}\n`)
  await waitFor('the fault', () => server.logged().includes('could not be stored; it is tried again'))
  await pool.query('drop trigger toxin on transcripts.messages')
  await waitFor('the line', () => hits('toxin'))
  assert.equal(await skipped(), record('poison').length + record('venom').length)
})

test('lines that come while the database is unavailable are stored when it is back', async () => {
  assert.ok(server.target.kind === 'embedded')
  const { database } = server.target
  await administer(`alter database ${database} allow_connections false`)
  await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
  appendFileSync(file, `${record('written during the outage')}\n`)
  await waitFor('the outage to be noticed', () =>
    server.logged().includes('archive of transcripts is unavailable'),
  )
  await administer(`alter database ${database} allow_connections true`)
  await waitFor('the line', () => hits('outage'))
  const { data } = (await server.call('/api/transcripts')).json
  assert.deepEqual([data.length, data[0].message_count], [1, 5])
})
