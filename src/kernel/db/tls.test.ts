import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createLog, Secret } from '#kernel/log'
import { temporaryFolder } from '#test/product'
import { awaitDatabase, openDatabase } from './index.ts'
import { startEmbedded } from './embedded.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const fixtures = join(import.meta.dirname, '../../../test/fixtures')
const certificate = join(fixtures, 'localhost.crt')

/** A PostgreSQL that a client reaches over TCP with TLS, as a managed one is. */
async function startWithTls(): Promise<string> {
  const dataDir = temporaryFolder()
  await (await startEmbedded({ dataDir, log, settings: { fsync: 'off' } })).stop()
  const cluster = join(dataDir, 'postgres')
  const { uid, gid } = statSync(cluster)
  for (const [from, to] of [
    ['localhost.crt', 'server.crt'],
    ['localhost.key', 'server.key'],
  ] as const) {
    copyFileSync(join(fixtures, from), join(cluster, to))
    chownSync(join(cluster, to), uid, gid)
    chmodSync(join(cluster, to), 0o600)
  }
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const server = await startEmbedded({
    dataDir,
    log,
    settings: { fsync: 'off', ssl: 'on', listen_addresses: '127.0.0.1', port: String(port) },
  })
  after(() => server.stop())
  return `postgres://${server.address.user}:${server.address.password}@localhost:${port}/status`
}

const url = await startWithTls()

async function isEncrypted(query: string): Promise<boolean> {
  const database = openDatabase({ kind: 'external', url: new Secret(`${url}${query}`) }, log)
  const { rows } = await database.pool.query<{ ssl: boolean }>(
    'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
  )
  await database.close()
  return rows[0]?.ssl ?? false
}

test('sslmode=require encrypts, without asking who signed the certificate', async () => {
  assert.equal(await isEncrypted('?sslmode=require'), true)
  assert.equal(await isEncrypted('?sslmode=disable'), false)
})

test('verify-full accepts the right authority and refuses an unknown one in one line', async () => {
  assert.equal(await isEncrypted(`?sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`), true)
  await assert.rejects(
    awaitDatabase({ kind: 'external', url: new Secret(`${url}?sslmode=verify-full`) }),
    (error: Error) => {
      assert.match(
        error.message,
        /^DATABASE_URL: cannot connect to the database \(.*self.signed certificate.*\)/,
      )
      return true
    },
  )
})
