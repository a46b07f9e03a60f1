import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { testServer } from './database.ts'
import { startDatabaseProxy } from './tcp-proxy.ts'
import { waitFor } from './wait.ts'
import { freePort } from './free-port.ts'

export const pgBouncer = '/usr/sbin/pgbouncer'

interface Behind {
  user: string
  password: string
  port: number
}

/** The server of the tests, by TCP. */
async function ownServer(): Promise<Behind> {
  const { user, password } = testServer()
  return { user, password, port: (await startDatabaseProxy()).port }
}

/** PgBouncer in front of a database of the tests; returns its address. Like PostgreSQL it refuses to run as root. */
export async function startPgBouncer(
  mode: 'transaction' | 'session',
  database: string,
  behind?: Behind,
): Promise<string> {
  const server = behind ?? (await ownServer())
  // Its user can enter neither the folder of the tests nor that of the database's socket.
  const folder = mkdtempSync('/tmp/signalbox-pgbouncer-')
  after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${server.user}" "${server.password}"\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 5
server_login_retry = 1
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
