import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { startFakeProvider } from '#fake-provider'
import { createTestDatabase, testServer } from '../harness/database.ts'
import { startLoad, type Load } from '../harness/load.ts'
import { nginx, startNginx } from '../harness/nginx.ts'
import { runCommand, spawnProduct, type RunningProcess } from '../harness/process.ts'
import { temporaryFolder, testMasterKey } from '../harness/product.ts'
import { startDatabaseProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait.ts'
import { freePort } from '../harness/free-port.ts'

/*
 * `npm run replicas`: two replicas on one external PostgreSQL, as docs/deploy.md sets them up, under load, restarted
 * one after the other, and behind half-open connections.
 */

const { database } = await createTestDatabase()
const proxy = await startDatabaseProxy()
const server = testServer()
const fake = await startFakeProvider()
after(() => fake.close())
const shared = {
  ...fake.baseUrls,
  DATABASE_URL: `postgres://${server.user}:${server.password}@127.0.0.1:${proxy.port}/${database}`,
  MASTER_KEY: testMasterKey,
  DRAIN_DELAY_MS: '3000',
}

const folders = [temporaryFolder(), temporaryFolder()]
const ports = [await freePort(), await freePort()]
/** Bound to the file: a replica that a test starts lives on after it. */
const start = AsyncResource.bind((n: number): Promise<RunningProcess> =>
  spawnProduct({ ...shared, DATA_DIR: folders[n] ?? '', PORT: String(ports[n]) }),
)
const replicas = [await start(0), await start(1)]
const replica = (n: number): RunningProcess => {
  const found = replicas[n]
  assert.ok(found)
  return found
}
const key = replica(0).key ?? ''
const added = await replica(0).call('/providers/openai', {
  json: { api_key: 'sk-planted-openai-0123456789', name: 'key' },
  headers: { accept: 'application/json' },
})
assert.equal(added.status, 201, added.text)

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ ...server, database })
  await client.connect()
  const { rows } = await client.query<T>(text)
  await client.end()
  return rows
}

const countRows = async (): Promise<number> =>
  (await query<{ count: number }>('select count(*)::int as count from usage.usage_logs'))[0]?.count ?? 0

/** Restarts both, one after the other, while the load runs. */
async function rollingRestart(load: Load): Promise<void> {
  for (const n of [0, 1]) {
    const before = load.served()
    await waitFor('some requests', () => load.served() > before + 200)
    await replica(n).end('SIGTERM')
    replicas[n] = await start(n)
    await waitFor('it to be ready', async () => (await replica(n).call('/readyz')).status === 200)
  }
  const before = load.served()
  await waitFor('requests after it', () => load.served() > before + 200)
}

async function restartWithoutLoss(name: string, load: Load, rowsBefore: number): Promise<void> {
  let failed: string[] = []
  try {
    await rollingRestart(load)
  } finally {
    failed = await load.stop()
  }
  console.log(`${name}: ${load.served()} requests during a rolling restart, ${failed.length} failed`)
  // Also where some failed, so that the next test does not count rows that come late.
  await waitFor('every request in the log', async () => (await countRows()) - rowsBefore >= load.served())
  assert.deepEqual(failed, [])
  assert.equal((await countRows()) - rowsBefore, load.served())
}

test(
  'behind nginx a rolling restart under load fails no request, and each has its row',
  { skip: existsSync(nginx) ? false : `${nginx} is not installed` },
  async () => {
    const { url, errors } = await startNginx(await freePort(), ports)
    const rows = await countRows()
    const load = startLoad(key, () => url)
    // What nginx says about a request that failed is the only trace of it.
    await restartWithoutLoss('behind nginx', load, rows).finally(() => console.log(errors().slice(-2_000)))
  },
)

test('a client that follows /readyz loses no request either', async () => {
  const rows = await countRows()
  const ready = [true, true]
  const poll = setInterval(() => {
    for (const n of [0, 1])
      void fetch(`http://127.0.0.1:${ports[n]}/readyz`).then(
        (response) => (ready[n] = response.ok),
        () => (ready[n] = false),
      )
  }, 200)
  let turn = 0
  const choose = (): string => {
    turn++
    const n = ready[turn % 2] ? turn % 2 : (turn + 1) % 2
    return `http://127.0.0.1:${ports[n]}`
  }
  try {
    await restartWithoutLoss('with /readyz', startLoad(key, choose), rows)
  } finally {
    clearInterval(poll)
  }
})

test('behind half-open connections a revoked key works for 15 s at most, and both replicas recover', async () => {
  const { json: made } = await replica(0).call('/api/v1/keys', {
    json: { name: 'to revoke', scopes: ['read'] },
  })
  const status = async (n: number): Promise<number> =>
    (await replica(n).call('/api/v1/me', { key: made.key })).status
  assert.deepEqual([await status(0), await status(1)], [200, 200])
  proxy.freeze()
  await query(`update access.api_keys set revoked_at = now() where id = '${made.id}'`)
  const revoked = Date.now()
  const lastGood = [0, 0]
  const refused = await Promise.all(
    [0, 1].map(async (n) => {
      await waitFor(
        'the key to be refused',
        async () => {
          const seen = await status(n)
          if (seen === 200) lastGood[n] = Date.now() - revoked
          return seen === 401
        },
        120_000,
      )
      return Date.now() - revoked
    }),
  )
  await waitFor('both to be ready', async () => {
    const states = await Promise.all([0, 1].map((n) => replica(n).call('/readyz')))
    return states.every(({ json }) => json.status === 'ready')
  })
  const served = await Promise.all([0, 1].map((n) => replica(n).call('/api/v1/logs', { key })))
  assert.deepEqual(
    served.map((answer) => answer.status),
    [200, 200],
  )
  console.log(`last accepted after ${lastGood.join(' and ')} ms, refused after ${refused.join(' and ')} ms`)
  console.log(`both ready again after ${Date.now() - revoked} ms`)
  assert.ok(Math.max(...lastGood) <= 15_000, `accepted after ${Math.max(...lastGood)} ms`)
})

test('a backup of this database with tables of others restores', async () => {
  await query('create table public.dba_notes (note text)')
  await query(`insert into public.dba_notes values ('vacuum on Sunday')`)
  const file = `${temporaryFolder()}/replicas.backup`
  const environment = { ...shared, DATA_DIR: folders[0] ?? '' }
  const written = await runCommand(['backup', file, '--check'], environment)
  assert.equal(written.code, 0, written.stderr)
  assert.match(written.stdout, /Restored \d+ rows in \d+ tables into a temporary database\./)
  assert.match(written.stdout, /not tables of Signalbox: public\.dba_notes\./)
  console.log(written.stdout.trim())
})
