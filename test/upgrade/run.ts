import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startFakeProvider } from '#fake-provider'
import { migrate, startEmbedded, type Target } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startLoad } from '../harness/load.ts'
import { waitFor } from '../harness/wait.ts'

const root = join(import.meta.dirname, '../..')
const loadMs = 20_000

interface Running {
  url: string
  key: string | undefined
  ownerToken: string | undefined
  stop(): Promise<void>
}

/** Returns the exit code: 0 when no request failed. */
export async function runUpgrade(codeBefore: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-upgrade-data-'))
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const database = await startEmbedded({ dataDir: join(folder, 'database'), log })
  const fake = await startFakeProvider()
  const running: Running[] = []
  try {
    const target: Target = { kind: 'embedded', address: database.address, database: 'status' }
    const applied = await migrate(target)
    console.log(`This code has run ${applied.length} migrations, up to ${applied.at(-1)}.`)
    const { user, password, host, port } = database.address
    const environment = {
      ...fake.baseUrls,
      DATABASE_URL: `postgres://${user}:${password}@localhost/status?host=${encodeURIComponent(host)}&port=${port}`,
      MASTER_KEY: Buffer.alloc(32, 'upgrade').toString('base64'),
      LOG_LEVEL: 'error',
    }
    const start = async (code: string, name: string): Promise<Running> => {
      const server = await startServer(code, { ...environment, DATA_DIR: join(folder, name) })
      running.push(server)
      return server
    }
    const before = await start(codeBefore, 'before')
    await addProviderKey(before)
    const both = [before.url, (await start(root, 'after')).url]
    let turn = 0
    const load = startLoad(before.key ?? '', () => both[turn++ % 2] ?? before.url, 4)
    await new Promise((resolve) => setTimeout(resolve, loadMs))
    const failed = await load.stop()
    for (const server of running.toReversed()) await server.stop()
    const rows = await countRows(database.address)
    console.log(`${load.served()} requests, ${failed.length} failed, ${rows} rows in the usage log.`)
    for (const line of failed.slice(0, 10)) console.log(`  ${line}`)
    return failed.length === 0 && load.served() > 0 && rows === load.served() ? 0 : 1
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
    return 1
  } finally {
    await Promise.all(running.map((server) => server.stop()))
    await fake.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startServer(code: string, environment: Record<string, string>): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [join(code, 'src/cli/main.js'), 'serve'], {
    cwd: code,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', TRANSCRIPTS_DIR: '/nonexistent', ...environment },
  })
  let output = ''
  child.stdout?.on('data', (piece: Buffer) => (output += piece.toString()))
  child.stderr?.on('data', (piece: Buffer) => (output += piece.toString()))
  const url = await waitFor('the server', () => {
    if (child.exitCode !== null) throw new Error(`The server of ${code} does not start:\n${output}`)
    return /is ready at (http\S+)/.exec(output)?.[1]
  })
  return {
    url,
    key: /sb-[A-Za-z0-9_-]{20,}/.exec(output)?.[0],
    ownerToken: /\/\?token=(\S+)/.exec(output)?.[1],
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function addProviderKey({ url, ownerToken = '' }: Running): Promise<void> {
  const response = await fetch(`${url}/providers/openai`, {
    method: 'POST',
    headers: { 'x-owner-token': ownerToken, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ api_key: 'sk-planted-openai-0123456789', name: 'key' }),
  })
  if (response.status !== 201) throw new Error(`The provider key was not added: ${await response.text()}`)
}

async function countRows(address: pg.ClientConfig): Promise<number> {
  const client = new pg.Client({ ...address, database: 'status' })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from usage.usage_logs',
  )
  await client.end()
  return rows[0]?.count ?? 0
}
