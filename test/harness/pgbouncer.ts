import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { testServer } from './database.ts'
import { startDatabaseProxy } from './tcp-proxy.ts'
import { waitFor } from './wait.ts'

export const pgBouncer = '/usr/sbin/pgbouncer'

/** PgBouncer in front of a database of the tests; returns its address. Like PostgreSQL it refuses to run as root. */
export async function startPgBouncer(mode: 'transaction' | 'session', database: string): Promise<string> {
  const server = testServer()
  // Its user can enter neither the folder of the tests nor that of the database's socket.
  const folder = mkdtempSync('/tmp/signalbox-pgbouncer-')
  after(() => rmSync(folder, { recursive: true, force: true }))
  const way = await startDatabaseProxy()
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${server.user}" "${server.password}"\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${way.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 5
`,
  )
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  for (const file of [users, settings]) if (isRoot) chownSync(file, nobody, nobody)
  const child = spawn(pgBouncer, ['-q', settings], {
    stdio: 'ignore',
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await ended
  })
  const url = `postgres://${server.user}:${server.password}@127.0.0.1:${port}/${database}`
  await waitFor('PgBouncer', () => answers(url))
  return url
}

/** The user of that name on Debian and most others. */
const nobody = 65_534

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
