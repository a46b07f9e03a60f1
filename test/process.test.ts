import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { rounds } from '#test/rounds'
import pg from 'pg'
import { administer, testServer } from './harness/database.ts'
import { ownerTokenOf } from './harness/owner.ts'
import { runCommand, spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { useSeed } from './harness/seed.ts'
import { startClock } from './harness/time.ts'
import { waitFor } from './harness/wait.ts'

test('a server that is killed, started again and stopped', { timeout: 600_000 }, async (t) => {
  const dataDir = temporaryFolder()
  let key = ''
  const kills = rounds(1, 20)
  await t.test('killed with -9 again and again it always comes up again', async () => {
    const first = await spawnProduct({ DATA_DIR: dataDir })
    key = first.key ?? ''
    assert.match(key, /^sb-/)
    await first.end('SIGKILL')
    for (let round = 1; round <= kills; round++) {
      const server = await spawnProduct({ DATA_DIR: dataDir })
      const { status, json } = await server.call('/api/v1/keys', { key })
      assert.equal(status, 200)
      assert.equal(json.data.length, round, 'every key made so far is there')
      assert.equal((await server.call('/api/v1/keys', { json: { name: `round ${round}` } })).status, 201)
      await server.end('SIGKILL')
    }
  })
  const server = await spawnProduct({ DATA_DIR: dataDir })
  await t.test('with all data', async () =>
    assert.equal((await server.call('/api/v1/keys', { key })).json.data.length, kills + 1),
  )
  await t.test('a second Signalbox on the same DATA_DIR is refused in one line', async () => {
    const second = await runCommand(['serve'], { DATA_DIR: dataDir, PORT: '0' })
    assert.equal(second.code, 1)
    assert.equal(
      second.stderr,
      `DATA_DIR: another Signalbox (process ${server.pid} on ${hostname()}) is using ${dataDir}. Stop it, or set DATA_DIR to another folder.\n`,
    )
    assert.equal((await server.call('/livez')).status, 200)
  })
  await t.test(
    'SIGTERM lets a running request finish, refuses new ones, and leaves nothing behind',
    async () => {
      const slow = await beginRequest(server.url)
      const ended = server.end('SIGTERM')
      await waitFor('new connections to be refused', () =>
        fetch(`${server.url}/livez`, { headers: { connection: 'close' } }).then(
          () => false,
          () => true,
        ),
      )
      slow.end('"slow"}')
      const [response] = (await once(slow, 'response')) as [IncomingMessage]
      assert.equal(response.statusCode, 201)
      assert.equal(await ended, 0)
      assert.throws(() => readFileSync(join(dataDir, 'postgres/postmaster.pid')))
      assert.throws(() => readFileSync(join(dataDir, 'signalbox.lock')))
    },
  )
})

test('each wrong start ends with one clear line and exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const own = temporaryFolder()
  useSeed(own)
  const portTaken = await runCommand(['serve'], {
    DATA_DIR: own,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  })
  taken.close()
  assert.deepEqual(
    [portTaken.code, portTaken.stderr],
    [1, `PORT: ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another number.\n`],
  )

  assert.doesNotMatch(portTaken.stdout, /sb-/, 'the key that is shown once is not used up')
  const second = await spawnProduct({ DATA_DIR: own, HOST: '0.0.0.0' })
  assert.ok(second.key)
  assert.match(second.url, /^http:\/\/localhost:\d+$/, 'an address that a browser can open')
  assert.equal((await fetch(`${second.url}/livez`)).status, 200)
  await second.end()

  const badValue = await runCommand(['serve'], { DATA_DIR: temporaryFolder(), PORT: 'abc' })
  assert.deepEqual(
    [badValue.code, badValue.stderr],
    [1, 'PORT: "abc" is not valid: give a whole number from 0 to 65535.\n'],
  )

  const damaged = temporaryFolder()
  writeFileSync(join(damaged, 'master.key'), 'not a key\n')
  const badKey = await runCommand(['serve'], { DATA_DIR: damaged, PORT: '0', LOG_LEVEL: 'silent' })
  assert.equal(badKey.code, 1)
  assert.match(
    badKey.stderr,
    /^\S+master\.key is damaged: it must contain 32 bytes in base64\. Restore the original[^\n]*\n$/,
  )

  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const unwritable = await runCommand(['serve'], { DATA_DIR: join(file, 'data'), PORT: '0' })
  assert.equal(unwritable.code, 1)
  assert.match(
    unwritable.stderr,
    /^DATA_DIR: cannot write to [^\n]+ Give this user write access, or set DATA_DIR to another folder\.\n$/,
  )
  const impossible = await runCommand(['serve'], { DATA_DIR: '/proc/nothing/here', PORT: '0' })
  assert.match(impossible.stderr, /^DATA_DIR: cannot write to \/proc\/nothing\/here/)
})

test('a request that does not finish is cut at the ceiling', async () => {
  const server = await spawnProduct({ DATA_DIR: temporaryFolder(), SHUTDOWN_TIMEOUT_MS: '500' })
  const hanging = await beginRequest(server.url)
  const broken = once(hanging, 'error')
  const started = Date.now()
  assert.equal(await server.end('SIGTERM'), 0)
  assert.ok(Date.now() - started < 15_000)
  await broken
})

test('an external database is used through DATABASE_URL, secrets stay out of the output', async () => {
  const address = testServer()
  await administer(`create database external_start`)
  const url = `postgres://${address.user}:${address.password}@localhost/external_start?host=${encodeURIComponent(address.host)}&port=${address.port}`
  const server = await spawnProduct({ DATA_DIR: temporaryFolder(), DATABASE_URL: url })
  assert.equal((await server.call('/api/v1/me', { key: server.key ?? '' })).status, 200)
  assert.ok(!server.output().includes(address.password))
  await server.end()
  const client = new pg.Client({ ...address, database: 'external_start' })
  await client.connect()
  const { rows } = await client.query('select name from access.groups')
  await client.end()
  assert.deepEqual(rows, [{ name: 'Default' }])
  await administer('drop database external_start')
})

test('a first start under a folder that only its owner may enter', async (t) => {
  const outer = temporaryFolder()
  const own = join(outer, 'closed/data')
  mkdirSync(join(outer, 'closed'))
  chmodSync(join(outer, 'closed'), 0o700)
  const server = await spawnProduct(
    { DATA_DIR: own, WORKERS: '2', LOG_LEVEL: 'debug' },
    { makesDatabase: true },
  )
  await t.test('it starts, as root too', async () => assert.equal((await server.call('/readyz')).status, 200))
  await t.test('the master key is made with mode 0600 in a private folder', () => {
    assert.equal(statSync(join(own, 'master.key')).mode & 0o777, 0o600)
    assert.equal(statSync(own).mode & 0o777, 0o700)
  })
  await t.test(
    'workers share the port, one that dies is replaced, and a revoked key is refused on all within one second',
    async () => {
      const workers = async (): Promise<Set<string>> => {
        // A connection of its own for each: one kept open would ask the same worker for ever. What a dying worker
        // held fails or hangs; a client that retries gets another worker.
        const ask = (): Promise<unknown> =>
          fetch(`${server.url}/livez`, {
            headers: { authorization: `Bearer ${server.key}`, connection: 'close' },
            signal: AbortSignal.timeout(2_000),
          })
            .then((response) => response.text())
            .catch(() => undefined)
        await Promise.all(Array.from({ length: 12 }, ask))
        return new Set(
          [...server.output().matchAll(/"pid":(\d+),"requestId"/g)].map((match) => match[1] ?? ''),
        )
      }
      const before = await untilSeen(workers, 2)
      const { json: made } = await server.call('/api/v1/keys', { json: { name: 'soon revoked' } })
      const statuses = async (): Promise<number[]> =>
        Promise.all(
          Array.from(
            { length: 12 },
            async () =>
              (await server.call('/api/v1/me', { key: made.key, headers: { connection: 'close' } })).status,
          ),
        )
      assert.deepEqual(new Set(await statuses()), new Set([200]))
      await server.call(`/api/v1/keys/${made.id}`, { method: 'DELETE' })
      using sinceRevoked = startClock()
      const isRefused = async (): Promise<boolean> => {
        // What was asked within the first second may still be accepted.
        const isOver = sinceRevoked.ms() >= 1_000
        const refused = (await statuses()).every((status) => status === 401)
        assert.ok(refused || !isOver, 'a worker accepted the key after one second')
        return refused
      }
      await waitFor('every worker to refuse the key', isRefused)

      process.kill(Number([...before][0]), 'SIGKILL')
      await untilSeen(workers, 3)
      const metrics = await server.call('/metrics', { key: server.key ?? '' })
      assert.match(metrics.text, /signalbox_http_request_seconds_count/)
      assert.equal(await server.end(), 0)
    },
  )
})

/** A request that the server has started to handle, while most of its body is still to come. */
async function beginRequest(url: string): Promise<ClientRequest> {
  const started = request(`${url}/api/v1/keys`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      expect: '100-continue',
      'x-owner-token': ownerTokenOf(url) ?? '',
    },
  })
  started.flushHeaders()
  await once(started, 'continue')
  started.write('{"name":')
  return started
}

/** Sends requests until that many different workers have responded. */
async function untilSeen(workers: () => Promise<Set<string>>, count: number): Promise<Set<string>> {
  const enough = async (): Promise<Set<string> | false> => {
    const seen = await workers()
    return seen.size >= count && seen
  }
  return waitFor(`${count} workers`, enough, 60_000)
}
