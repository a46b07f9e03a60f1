import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createLog } from '#kernel/log'
import { administer, createTestDatabase } from '#test/database'
import { startDatabaseProxy } from '#test/tcp-proxy'
import { waitFor } from '#test/wait'
import { openDatabase, serialized } from './index.ts'

interface Line {
  level: string
  msg: string
  failures?: number
}

const lines: Line[] = []
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line) as Line)
    done()
  },
})
const log = await createLog({ level: 'info', form: 'json', destination })
const warnings = () => lines.filter(({ msg }) => msg.includes('is tried again'))
const isRead = () => lines.find(({ msg }) => msg.includes('is read after failures'))

async function behindProxy() {
  const target = await createTestDatabase()
  const proxy = await startDatabaseProxy()
  const database = openDatabase({ ...target, address: proxy.address }, log)
  return { target, proxy, database, listener: database.listener }
}

/** The connection is lost, and the next one is being opened until the proxy is released. */
async function loseConnection(proxy: Awaited<ReturnType<typeof startDatabaseProxy>>): Promise<void> {
  proxy.cut()
  await waitFor('no connection', () => proxy.open() === 0)
  proxy.hold()
  proxy.mend()
  await waitFor('the next connection', () => proxy.open() > 0)
}

test('a listener that is closed while it connects again leaves no connection', async () => {
  const { proxy, database, listener } = await behindProxy()
  await listener.on('news', () => undefined)
  await loseConnection(proxy)
  await database.close()
  proxy.release()
  await waitFor('its end', () => proxy.open() === 0, 20_000)
})

test('who begins to listen while the connection is opened again shares it', async () => {
  const { target, proxy, database, listener } = await behindProxy()
  const heard: string[] = []
  let gaps = 0
  const hear = (payload: string): unknown => heard.push(payload)
  await listener.on('news', hear, () => gaps++)
  await loseConnection(proxy)
  const joined = listener.on('sports', hear)
  proxy.release()
  await joined
  await waitFor('the gap', () => gaps === 1)
  const counted = (count: number) =>
    administer(
      `select from pg_stat_activity where datname = '${target.database}' and application_name = 'signalbox listener'
       having count(*) = ${count}`,
    )
  await waitFor('one connection', async () => (await counted(1)) === 1, 20_000)
  await administer(`notify sports, 'goal'; notify news, 'last'`, target.database)
  await waitFor('the last', () => heard.includes('last'))
  assert.deepEqual(heard, ['goal', 'last'])
  await database.close()
})

test('work that keeps failing is logged again, less and less often, and when it succeeds', async () => {
  lines.length = 0
  const target = await createTestDatabase()
  const database = openDatabase(target, log)
  let isBroken = true
  await database.listener.on('news', async () => {
    if (isBroken) throw new Error('the table is gone')
  })
  await administer('notify news', target.database)
  await waitFor('three warnings', () => warnings().length === 3)
  assert.deepEqual(
    warnings().map(({ failures }) => failures),
    [1, 2, 4],
  )
  isBroken = false
  await waitFor('the success', isRead)
  assert.ok((isRead()?.failures ?? 0) >= 4)
  await database.close()
})

test('a burst of announcements that one read answers fails once', async () => {
  lines.length = 0
  const target = await createTestDatabase()
  const database = openDatabase(target, log)
  const all = Promise.withResolvers<void>()
  const heard: string[] = []
  let runs = 0
  const read = serialized(async () => {
    runs++
    await all.promise
    if (runs <= 2) throw new Error('the database is busy')
  })
  await database.listener.on('news', (payload) => {
    heard.push(payload)
    return read()
  })
  await administer(`select pg_notify('news', n::text) from generate_series(1, 20) n`, target.database)
  await waitFor('all of them', () => heard.length === 20)
  all.resolve()
  const { failures } = await waitFor('the success', isRead)
  assert.equal(failures, 2)
  await database.close()
})

test('what was announced before a process listened is tried until it succeeds', async () => {
  const database = openDatabase(await createTestDatabase(), log)
  let tries = 0
  await database.listener.on(
    'news',
    () => undefined,
    async () => {
      if (++tries < 3) throw new Error('the database is busy')
    },
  )
  database.listener.catchUp('news')
  await waitFor('the third try', () => tries === 3)
  await database.close()
})
