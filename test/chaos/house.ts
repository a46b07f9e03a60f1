import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { AsyncResource } from 'node:async_hooks'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startFakeProvider, type FakeProvider } from '#fake-provider'
import { startExternalServer, type ExternalServer } from '../harness/external-server.ts'
import { startNginx } from '../harness/nginx.ts'
import { pgBouncer, startPgBouncer } from '../harness/pgbouncer.ts'
import { spawnProduct, type RunningProcess } from '../harness/process.ts'
import { temporaryFolder, testMasterKey } from '../harness/product.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait.ts'
import { freePort } from '../harness/free-port.ts'
import { endBeforeFolder, endUsersOf } from '../harness/run-folder.ts'
import { hookSecret, initiative } from './features.ts'

/** Two replicas behind nginx on one external PostgreSQL, the second one through PgBouncer where it is installed. */
export interface House {
  /** Of nginx. */
  url: string
  key: string
  postgres: ExternalServer
  /** Between the replicas and PostgreSQL. */
  way: TcpProxy
  fake: FakeProvider
  folders: readonly string[]
  replica(n: number): RunningProcess
  /** Starts a replica again; `root` is the tree of another release. */
  start(n: number, root?: string): Promise<void>
  /** What /readyz says: nothing where it is ready. */
  complaint(n: number): Promise<string | undefined>
}

export const database = 'signalbox'
const [user, password] = ['signalbox', 'pw-signalbox']
const replicas = [0, 1]
const clock = pathToFileURL(join(import.meta.dirname, 'clock.js')).href

export async function buildHouse(): Promise<House> {
  const postgres = await startExternalServer()
  await postgres.ask('postgres', `create role ${user} login createdb createrole password '${password}'`)
  await postgres.ask('postgres', `create database ${database} owner ${user}`)
  // A team's own database, whose owner the proxy may be.
  await postgres.ask('postgres', `create role shop login password '${password}'`)
  await postgres.ask('postgres', 'create database application owner shop')
  const way = await startTcpProxy({ host: '127.0.0.1', port: postgres.port })
  after(() => way.close())
  const fake = await startFakeProvider()
  after(() => fake.close())
  fake.always({}, { repeat: { text: 'word ', times: 8 }, headersAfterMs: 5, chunkEveryMs: 5 })
  const direct = `postgres://${user}:${password}@127.0.0.1:${way.port}/${database}`
  const addresses = [{ DATABASE_URL: direct }, await throughPgBouncer(way.port, direct)]
  const folders = [smallDisk(), temporaryFolder()]
  const ports = await Promise.all(replicas.map(freePort))
  const running: RunningProcess[] = []
  const settings = (n: number): Record<string, string> => ({
    ...fake.baseUrls,
    ...addresses[n],
    DATABASES: JSON.stringify({ application: postgres.urlOf('shop', password, 'application') }),
    MASTER_KEY: testMasterKey,
    OPENAI_API_KEY: 'sk-planted-openai-0123456789',
    DATA_DIR: folders[n] ?? '',
    PORT: String(ports[n]),
    DRAIN_DELAY_MS: '3000',
    LOG_LEVEL: 'warn',
    RUNTIME: 'builtin',
    NODE_OPTIONS: `--import ${clock}`,
  })
  /** Bound to the file: a replica that a test starts lives on after it. */
  const start = AsyncResource.bind(async (n: number, root?: string): Promise<void> => {
    running[n] = await spawnProduct(settings(n), root === undefined ? {} : { root })
  })
  const replica = (n: number): RunningProcess => {
    const found = running[n]
    assert.ok(found)
    return found
  }
  await start(0)
  await start(1)
  const { url } = await startNginx(await freePort(), ports)
  const key = await keyForAll(replica(0))
  return {
    ...{ url, key, postgres, way, fake, folders, replica, start },
    complaint: (n) =>
      fetch(`http://127.0.0.1:${ports[n]}/readyz`).then(
        async (response) => (response.ok ? undefined : response.text()),
        String,
      ),
  }
}

async function throughPgBouncer(port: number, direct: string): Promise<Record<string, string>> {
  if (!existsSync(pgBouncer)) return { DATABASE_URL: direct }
  const pooled = await startPgBouncer('transaction', database, { user, password, port })
  return { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct }
}

/** A key with every scope that the load needs, and what it asks: an agent, a webhook, a stand-up. */
async function keyForAll(replica: RunningProcess): Promise<string> {
  const add = async (path: string, json: object) => {
    const { status, text, json: made } = await replica.call(path, { json })
    assert.equal(status, 201, text)
    return made
  }
  await add('/api/agents', { id: 'chaos', name: 'Chaos', model: 'gpt-6-sol', config: {} })
  await add('/api/webhooks', { kind: 'generic', name: 'Chaos', secret: hookSecret })
  await add('/api/initiatives', { title: 'Chaos', slug: initiative })
  const { key } = await add('/api/v1/keys', {
    name: 'load',
    scopes: ['gateway', 'embeddings', 'read', 'events', 'sql', 'agents'],
  })
  await startStandup(replica, String(key))
  return String(key)
}

/** By the key of the load, because who starts it may speak. The stream is closed: the stand-up stays open. */
async function startStandup({ url }: RunningProcess, key: string): Promise<void> {
  const listening = new AbortController()
  const response = await fetch(`${url}/api/initiatives/${initiative}/standup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    signal: listening.signal,
  })
  assert.equal(response.status, 200, response.ok ? '' : await response.text())
  listening.abort()
}

/** A volume that can be filled without filling the machine's. */
function smallDisk(): string {
  const outer = temporaryFolder()
  const folder = join(outer, 'small')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=0700', 'tmpfs', folder], { stdio: 'ignore' })
    // A folder with a volume in it cannot be removed.
    endBeforeFolder(outer, async () => {
      await endUsersOf(folder)
      execFileSync('umount', ['--lazy', folder])
    })
  } catch {
    // Only root may; the fault is left out then.
  }
  return folder
}

export async function ready({ complaint }: House, numbers: readonly number[] = replicas): Promise<void> {
  let said: (string | undefined)[] = []
  const isReady = async (): Promise<boolean> => {
    said = await Promise.all(numbers.map(complaint))
    return said.every((each) => each === undefined)
  }
  await waitFor('replicas to be ready', isReady, 120_000).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${said.join(', ')}`)
  })
}
