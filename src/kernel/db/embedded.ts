import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#kernel/log'
import { initialise, isWhole, prepareLayout, removeHandover, type Layout } from './cluster.ts'
import { stopLeftover } from './leftover.ts'
import { launch, stopServer } from './postmaster.ts'
import {
  findAddress,
  readAddress,
  removeSocketFolder,
  saveAddress,
  type ServerAddress,
} from './server-address.ts'

export interface EmbeddedServer {
  address: ServerAddress
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Settings for `postgres -c`, for tests: they trade durability for speed, or add a port with TLS. */
  settings?: Record<string, string>
  /** Ends a start that is under way: it throws the reason and leaves nothing behind. */
  stop?: AbortSignal | undefined
}

/** The platform's own database, and the two that the SQL proxy offers beside it. */
export const databaseNames = ['status', 'calendar', 'application'] as const

/** Starts a private PostgreSQL on a unix socket (on Windows: loopback), making its files on first use. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, log, settings = {}, stop } = options
  const layout = prepareLayout(dataDir)
  await stopLeftover(layout.cluster, log)
  clearTraces(layout, readAddress(dataDir))
  stop?.throwIfAborted()
  let address: ServerAddress | undefined
  const clear = (): void => clearTraces(layout, address)
  // However this process ends, short of a kill; the programs that it runs are ended in the same way.
  process.once('exit', clear)
  let server: Supervised | undefined
  const stopAll = async (): Promise<void> => {
    await server?.stop()
    process.off('exit', clear)
    clear()
  }
  try {
    if (!isWhole(layout)) await initialise(layout, stop)
    const found = await findAddress(layout)
    const own = (address = { ...found, port: Number(settings['port'] ?? found.port) })
    saveAddress(layout, own)
    server = new Supervised(log, (halt) => launch(layout, own, settings, halt))
    await server.start(stop)
    await createDatabases(own)
    stop?.throwIfAborted()
    return { address: own, stop: stopAll }
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** A killed process leaves these behind. */
function clearTraces(layout: Layout, address: ServerAddress | undefined): void {
  removeHandover(layout)
  rmSync(layout.addressFile, { force: true })
  if (address && layout.isPrivateSocket) removeSocketFolder(address)
}

/** Starts a server again when it ends unexpectedly, until it is stopped. */
class Supervised {
  readonly #log: Log
  readonly #launch: (halt: AbortSignal) => Promise<ChildProcess>
  readonly #halt = new AbortController()
  #server: ChildProcess | undefined
  #restart: Promise<void> | undefined

  constructor(log: Log, start: (halt: AbortSignal) => Promise<ChildProcess>) {
    this.#log = log
    this.#launch = start
  }

  async start(stop: AbortSignal | undefined): Promise<void> {
    const halt = this.#halt.signal
    this.#watch(await this.#launch(stop ? AbortSignal.any([halt, stop]) : halt))
  }

  async stop(): Promise<void> {
    this.#halt.abort()
    // A server that is just being restarted must not be left behind either.
    await this.#restart
    if (this.#server) await stopServer(this.#server)
  }

  #watch(server: ChildProcess): void {
    this.#server = server
    server.once('exit', (code) => {
      if (this.#halt.signal.aborted) return
      this.#log.error({ code }, 'the embedded PostgreSQL stopped unexpectedly; restarting it')
      this.#restart = this.#relaunch()
    })
  }

  async #relaunch(): Promise<void> {
    const { signal } = this.#halt
    for (let wait = 200; !signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      try {
        return this.#watch(await this.#launch(signal))
      } catch (error) {
        if (signal.aborted) return
        this.#log.error({ error }, 'the embedded PostgreSQL could not be started')
        await sleep(wait, undefined, { signal }).catch(() => undefined)
      }
    }
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
