import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { prepareDataDir } from '#kernel/datadir'
import { createLog } from '#kernel/log'
import { temporaryFolder } from '#test/product'
import { startEmbedded } from './embedded.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const settings = { fsync: 'off' }

async function ask(address: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...address, database: 'status' })
  await client.connect()
  try {
    return (await client.query(text)).rows as unknown[]
  } finally {
    await client.end()
  }
}

test('it starts, keeps what it was given over a restart, and leaves nothing running', async () => {
  const dataDir = temporaryFolder()
  const first = await startEmbedded({ dataDir, log, settings })
  await ask(first.address, 'create table kept as select 42 as answer')
  assert.equal(statSync(join(dataDir, 'postgres.json')).mode & 0o777, 0o600)
  await first.stop()
  assert.ok(!existsSync(join(dataDir, 'postgres/postmaster.pid')))
  const second = await startEmbedded({ dataDir, log, settings })
  assert.deepEqual(await ask(second.address, 'select answer from kept'), [{ answer: 42 }])
  assert.deepEqual(
    await ask(
      second.address,
      `select datname from pg_database where datname in ('status', 'calendar', 'application') order by 1`,
    ),
    [{ datname: 'application' }, { datname: 'calendar' }, { datname: 'status' }],
  )
  await second.stop()
})

test('a server that a killed process left behind is taken over, with all data', async () => {
  const dataDir = temporaryFolder()
  const orphan = await startEmbedded({ dataDir, log, settings })
  await ask(orphan.address, 'create table kept as select 7 as answer')
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  // What a second start sees after kill -9: a live server, and no owner. The first handle must not restart it.
  const next = startEmbedded({ dataDir, log, settings })
  const stopped = orphan.stop()
  const server = await next
  await stopped
  assert.notEqual(Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), pid)
  assert.deepEqual(await ask(server.address, 'select answer from kept'), [{ answer: 7 }])
  await server.stop()
})

test('a process id that now belongs to a stranger is not touched', async () => {
  const dataDir = temporaryFolder()
  const server = await startEmbedded({ dataDir, log, settings })
  await server.stop()
  const stranger = spawn('sleep', ['60'])
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${stranger.pid}\n${dataDir}\n`)
  const again = await startEmbedded({ dataDir, log, settings })
  assert.equal(stranger.exitCode, null)
  assert.equal(stranger.signalCode, null)
  stranger.kill()
  await again.stop()
})

test('a very long DATA_DIR works in spite of the limit on socket paths', async () => {
  const dataDir = join(temporaryFolder(), 'a-long-folder-name-of-forty-characters-x'.repeat(4))
  mkdirSync(dataDir, { recursive: true })
  const server = await startEmbedded({ dataDir, log, settings })
  assert.ok(server.address.host.length < 100)
  assert.equal((await ask(server.address, 'select 1')).length, 1)
  await server.stop()
})

test('a start that was killed while the database was being made starts over', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres.initialising'), '')
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n')
  const server = await startEmbedded({ dataDir, log, settings })
  assert.equal((await ask(server.address, 'select 1')).length, 1)
  await server.stop()
})

test('a DATA_DIR that cannot be written is named with the mend', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  assert.throws(
    () => prepareDataDir(join(file, 'data')),
    /^StartFault: DATA_DIR: cannot write to .* Give this user write access, or set DATA_DIR/,
  )
})
