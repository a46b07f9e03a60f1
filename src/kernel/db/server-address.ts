import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { messageOf, StartFault } from '#kernel/errors'
import { passwordFile, type Layout } from './cluster.ts'
import { giveTo } from './run-as.ts'

/** How to reach the embedded server; kept in DATA_DIR/postgres.json (mode 0600) for workers and commands. */
export interface ServerAddress {
  host: string
  port: number
  user: string
  password: string
}

export async function findAddress(layout: Layout): Promise<ServerAddress> {
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
  const folder = mkdtempSync(join(tmpdir(), socketFolderName))
  giveTo(folder, layout.user)
  return { host: folder, port: 5432 }
}

const socketFolderName = 'signalbox-'

/** A server makes two files there, each once: after as many removals there is none left to come. */
const maxRemovals = 3

/**
 * Removes only what a server left there: its socket and the lock of it. A process that is ending cannot wait for its
 * server, which may be making them at this moment.
 */
export function removeSocketFolder({ host, port }: Pick<ServerAddress, 'host' | 'port'>): void {
  if (!basename(host).startsWith(socketFolderName)) return
  for (let removals = 0; removals < maxRemovals; removals++) {
    for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
      rmSync(join(host, name), { force: true })
    try {
      return rmdirSync(host)
    } catch {
      // Not empty yet, removed already, or something else lies in it.
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

export function saveAddress(layout: Layout, address: ServerAddress): void {
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
