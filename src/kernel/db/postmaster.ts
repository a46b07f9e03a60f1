import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartFault } from '#kernel/errors'
import { lastLine, run, type Layout } from './cluster.ts'
import type { ServerAddress } from './server-address.ts'

const readyTimeoutMs = 60_000
const stopTimeoutMs = 20_000

/** Starts PostgreSQL and waits until it accepts connections. A start that fails or is stopped leaves no process. */
export async function launch(
  layout: Layout,
  address: ServerAddress,
  given: Record<string, string>,
  stop?: AbortSignal,
): Promise<ChildProcess> {
  const isWindows = process.platform === 'win32'
  const settings = {
    listen_addresses: isWindows ? address.host : '',
    port: String(address.port),
    unix_socket_directories: isWindows ? '' : address.host,
    unix_socket_permissions: '0700',
    max_connections: '200',
    ...given,
  }
  const child = run(
    layout,
    'postgres',
    Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  )
  if (await untilReady(child, address, stop)) return child
  await stopServer(child)
  stop?.throwIfAborted()
  throw new StartFault(
    `The embedded PostgreSQL does not start: ${lastLine(layout.logFile)} (see ${layout.logFile})`,
  )
}

async function untilReady(
  child: ChildProcess,
  address: ServerAddress,
  stop: AbortSignal | undefined,
): Promise<boolean> {
  let ended = false
  child.once('exit', () => (ended = true))
  child.once('error', () => (ended = true))
  const deadline = Date.now() + readyTimeoutMs
  while (Date.now() < deadline && !ended && !stop?.aborted) {
    if (await answers(address)) return true
    await sleep(25)
  }
  return false
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

/** Open transactions are rolled back; what does not end in time is ended hard and recovers at the next start. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), stopTimeoutMs)
  await ended
  clearTimeout(timer)
}
