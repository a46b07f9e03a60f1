import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf, StartFault } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { stopLeftover } from './leftover.ts'
import { findPrograms } from './programs.ts'
import { giveTo, isExecutable, reachablePrograms, runAs, type RunAs } from './run-as.ts'

/** How to reach the embedded server; kept in DATA_DIR/postgres.json (mode 0600) for workers and commands. */
export interface ServerAddress {
  host: string
  port: number
  user: string
  password: string
}

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
      options.log.error({ code }, 'the embedded PostgreSQL ended by itself; starting it again')
      void relaunch()
    })
  }
  const relaunch = async (): Promise<void> => {
    for (let wait = 200; !stopping; wait = Math.min(wait * 2, 10_000)) {
      try {
        server = await launch(layout, address, options)
        return supervise(server)
      } catch (error) {
        options.log.error({ error }, 'the embedded PostgreSQL does not start')
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

interface Layout {
  programs: string
  cluster: string
  logFile: string
  addressFile: string
  user: RunAs | undefined
  /** The socket lies in a temporary folder, because its path in DATA_DIR would be too long or out of reach. */
  isPrivateSocket: boolean
  socketInDataDir: string
}

function prepareLayout(dataDir: string): Layout {
  const user = runAs()
  const { folder, version } = findPrograms()
  const programs = join(reachablePrograms(folder, version, user), 'bin')
  if (process.platform !== 'win32' && !isExecutable(join(programs, 'postgres'))) {
    throw new StartFault(`The embedded PostgreSQL in ${programs} is not executable. Run npm ci again.`)
  }
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  giveTo(cluster, user)
  const socketInDataDir = join(dataDir, 'run')
  // A unix socket's path holds at most 103 bytes on macOS and 107 on Linux.
  const isTooLong = Buffer.byteLength(join(socketInDataDir, '.s.PGSQL.5432')) > 100
  return {
    programs,
    cluster,
    logFile: join(dataDir, 'postgres.log'),
    addressFile: join(dataDir, 'postgres.json'),
    user,
    isPrivateSocket: process.platform !== 'win32' && (isTooLong || user !== undefined),
    socketInDataDir,
  }
}

/** initdb writes its version file early, so a marker beside the cluster tells a half-made one from a whole one. */
function isWhole(layout: Layout): boolean {
  return existsSync(join(layout.cluster, 'PG_VERSION')) && !existsSync(marker(layout))
}

const marker = (layout: Layout): string => `${layout.cluster}.initialising`
const passwordFile = (layout: Layout): string => `${layout.cluster}.password`

async function findAddress(layout: Layout): Promise<ServerAddress> {
  try {
    const password = readFileSync(passwordFile(layout), 'utf8').trim()
    return { ...(await place(layout)), user: 'signalbox', password }
  } catch (error) {
    throw new StartFault(
      `The password of the embedded PostgreSQL cannot be read (${messageOf(error)}). Put ${passwordFile(layout)} back.`,
      { cause: error },
    )
  }
}

async function place(layout: Layout): Promise<{ host: string; port: number }> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort() }
  if (!layout.isPrivateSocket) {
    mkdirSync(layout.socketInDataDir, { recursive: true, mode: 0o700 })
    return { host: layout.socketInDataDir, port: 5432 }
  }
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'))
  giveTo(folder, layout.user)
  return { host: folder, port: 5432 }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

function saveAddress(layout: Layout, address: ServerAddress): void {
  writeFileSync(layout.addressFile, JSON.stringify(address), { mode: 0o600 })
}

/** What a worker or a command needs to join the server that a running Signalbox started. */
export function readAddress(dataDir: string): ServerAddress | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as ServerAddress
  } catch {
    return undefined
  }
}

async function initialise(layout: Layout): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  writeFileSync(marker(layout), '')
  rmSync(layout.cluster, { recursive: true, force: true })
  mkdirSync(layout.cluster, { mode: 0o700 })
  giveTo(layout.cluster, layout.user)
  writeFileSync(passwordFile(layout), password, { mode: 0o600 })
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-init-'))
  const handover = join(folder, 'password')
  writeFileSync(handover, password, { mode: 0o600 })
  giveTo(folder, layout.user)
  giveTo(handover, layout.user)
  try {
    await runInitdb(layout, handover)
    rmSync(marker(layout))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runInitdb(layout: Layout, passwordPath: string): Promise<void> {
  const child = run(layout, 'initdb', [
    ...['-U', 'signalbox', '--auth=scram-sha-256', `--pwfile=${passwordPath}`],
    ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
  ])
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0)
    throw new StartFault(`The embedded PostgreSQL could not be made: ${lastLine(layout.logFile)}`)
}

/**
 * As root the server enters its folder before it gives up its rights and then calls it by
 * /proc/self/cwd, so no folder above needs to be open to its user.
 */
function run(layout: Layout, program: string, args: string[]): ChildProcess {
  const output = openSync(layout.logFile, 'a', 0o600)
  const isRootOnLinux = layout.user !== undefined && process.platform === 'linux'
  try {
    return spawn(
      join(layout.programs, program),
      ['-D', isRootOnLinux ? '/proc/self/cwd' : layout.cluster, ...args],
      {
        cwd: layout.cluster,
        stdio: ['ignore', output, output],
        // Its own session: Ctrl-C at the terminal must reach us first.
        detached: true,
        env: { LC_ALL: 'C', TZ: 'UTC', ...(process.platform === 'win32' && { SystemRoot: 'C:\\Windows' }) },
        ...layout.user,
      },
    )
  } finally {
    closeSync(output)
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

function lastLine(file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'no message'
  } catch (error) {
    return messageOf(error)
  }
}
