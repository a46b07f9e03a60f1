import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartFault } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { initialise, isWhole, lastLine, prepareLayout, run, type Layout } from './cluster.ts'
import { stopLeftover } from './leftover.ts'
import { findAddress, saveAddress, type ServerAddress } from './server-address.ts'

export interface EmbeddedServer {
  address: ServerAddress
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Settings for `postgres -c`, for tests: they trade durability for speed, or add a port with TLS. */
  settings?: Record<string, string>
}

/** The platform's own database, and the two that the SQL proxy offers beside it. */
export const databaseNames = ['status', 'calendar', 'application'] as const

const readyTimeoutMs = 60_000
const stopTimeoutMs = 20_000

/** Starts a private PostgreSQL on a unix socket (on Windows: loopback), making its files on first use. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const layout = prepareLayout(options.dataDir)
  await stopLeftover(layout.cluster, options.log)
  if (!isWhole(layout)) await initialise(layout)
  const found = await findAddress(layout)
  const address = { ...found, port: Number(options.settings?.['port'] ?? found.port) }
  saveAddress(layout, address)

  let stopping = false
  let server = await launch(layout, address, options)
  const supervise = (child: ChildProcess): void => {
    child.once('exit', (code) => {
      if (stopping) return
      options.log.error({ code }, 'the embedded PostgreSQL stopped unexpectedly; restarting it')
      void relaunch()
    })
  }
  const relaunch = async (): Promise<void> => {
    for (let wait = 200; !stopping; wait = Math.min(wait * 2, 10_000)) {
      try {
        server = await launch(layout, address, options)
        return supervise(server)
      } catch (error) {
        options.log.error({ error }, 'the embedded PostgreSQL could not be started')
        await sleep(wait)
      }
    }
  }
  supervise(server)
  await createDatabases(address)
  return {
    address,
    async stop() {
      stopping = true
      await stopServer(server)
      rmSync(layout.addressFile, { force: true })
      if (layout.isPrivateSocket) rmSync(address.host, { recursive: true, force: true })
    },
  }
}

async function launch(
  layout: Layout,
  address: ServerAddress,
  options: EmbeddedOptions,
): Promise<ChildProcess> {
  const isWindows = process.platform === 'win32'
  const settings = {
    listen_addresses: isWindows ? address.host : '',
    port: String(address.port),
    unix_socket_directories: isWindows ? '' : address.host,
    unix_socket_permissions: '0700',
    max_connections: '200',
    ...options.settings,
  }
  const child = run(
    layout,
    'postgres',
    Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  )
  let ended = false
  child.once('exit', () => (ended = true))
  child.once('error', () => (ended = true))
  const deadline = Date.now() + readyTimeoutMs
  while (Date.now() < deadline && !ended) {
    if (await answers(address)) return child
    await sleep(25)
  }
  child.kill('SIGQUIT')
  throw new StartFault(
    `The embedded PostgreSQL does not start: ${lastLine(layout.logFile)} (see ${layout.logFile})`,
  )
}

async function answers(address: ServerAddress): Promise<boolean> {
  const client = new pg.Client({ ...address, database: 'postgres' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

async function createDatabases(address: ServerAddress): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres' })
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database')
    const present = new Set(rows.map((row) => row.datname))
    for (const name of databaseNames) if (!present.has(name)) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), stopTimeoutMs)
  await ended
  clearTimeout(timer)
}
