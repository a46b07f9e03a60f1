import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate, startEmbedded, type Target } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { spawnProduct } from '#test/process'
import { startProduct, temporaryFolder, testMasterKey, type Product } from '#test/product'
import { waitFor } from '#test/wait'
import { list, openTail, sample, send, titles, type Tail } from './testing.ts'

type EmbeddedTarget = Extract<Target, { kind: 'embedded' }>

/** What a reader saw is what is stored, once each and in the order of the stream. */
async function assertWhole(tail: Tail, server: Product, query: string): Promise<void> {
  const stored = (await list(server, query)).toSorted((a, b) => a.sequence - b.sequence)
  await waitFor('everything that is stored', () => tail.events.length >= stored.length)
  assert.deepEqual(tail.titles(), titles(stored))
  assert.deepEqual(tail.gaps, [])
}

test('a replica that is killed leaves the readers of the other without a gap or a repeat', async () => {
  const target = await createTestDatabase()
  const server = await startProduct({}, target)
  const victim = await spawnProduct({
    DATABASE_URL: addressOf(target),
    DATA_DIR: temporaryFolder(),
    MASTER_KEY: testMasterKey,
  })
  const tail = await openTail(server, '?source=killed')
  const accepted: string[] = []
  let isKilled = false
  const post = async (to: Pick<Product, 'call'>, name: string): Promise<void> => {
    for (let n = 0; n < 1_000 && !isKilled; n++) {
      const title = `${name} ${n}`
      const { status } = await send({ call: to.call, key: server.key }, sample(title, { source: 'killed' }))
      if (status === 202) accepted.push(title)
    }
  }
  // A call that the kill interrupts has an unknown outcome: its event is either stored or not.
  const posting = Promise.all([
    ...['a', 'b', 'c'].map((name) => post(victim, name).catch(() => undefined)),
    post(server, 'here'),
  ])
  await waitFor('events of both', () => accepted.length > 60 && accepted.some((each) => each.startsWith('a')))
  await victim.end('SIGKILL')
  isKilled = true
  await posting
  const { status } = await send(server, sample('last', { source: 'killed' }))
  assert.equal(status, 202)
  await waitFor('the last event', () => tail.titles().includes('last'))
  await assertWhole(tail, server, '?source=killed&limit=1000')
  const seen = new Set(tail.titles())
  assert.deepEqual(
    accepted.filter((title) => !seen.has(title)),
    [],
  )
})

test('a restart of PostgreSQL while streaming leaves no gap and repeats nothing', async () => {
  const dataDir = temporaryFolder()
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = await startEmbedded({ dataDir, log, settings: { fsync: 'off' } })
  const target = { kind: 'embedded', address: database.address, database: 'status' } as const
  await migrate(target)
  const server = await startProduct({}, target)
  after(() => database.stop())
  const tail = await openTail(server, '?source=restart')
  const post = async (title: string): Promise<number> =>
    (await send(server, sample(title, { source: 'restart' }))).status
  assert.equal(await post('before'), 202)
  await waitFor('the first event', () => tail.events.length === 1)
  const old = postmaster(dataDir)
  // An immediate stop, as in a crash: it is started again and recovers.
  process.kill(old, 'SIGQUIT')
  await waitFor('a call that is refused, or a new server', async () => {
    return (await post('during')) === 503 || postmaster(dataDir) !== old
  })
  await waitFor('an event that is stored', async () => (await post('after')) === 202)
  await waitFor('the event after the restart', () => tail.titles().includes('after'))
  assert.equal(await post('last'), 202)
  await waitFor('the last event', () => tail.titles().includes('last'))
  await assertWhole(tail, server, '?source=restart&limit=1000')
})

function postmaster(dataDir: string): number {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
}

function addressOf({ address, database }: EmbeddedTarget): string {
  const { host, port, user, password } = address
  const query = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`
}
