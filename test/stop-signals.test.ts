import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { collect, spawnCommand, spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { useSeed } from './harness/seed.ts'
import { waitFor } from './harness/wait.ts'

/** A folder with a temporary folder of its own, in which a process may leave nothing. */
function place(): { dataDir: string; temporary: string; environment: Record<string, string> } {
  const outer = temporaryFolder()
  // The database server runs as another user when this is root.
  chmodSync(outer, 0o711)
  const temporary = join(outer, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o711)
  const dataDir = join(outer, 'data')
  return {
    dataDir,
    temporary,
    environment: { DATA_DIR: dataDir, TMPDIR: temporary, PORT: '0' },
  }
}

type Place = ReturnType<typeof place>

/** Starts Signalbox, stops it as soon as the moment has come, and checks that nothing is left. */
async function stopAt(
  { dataDir, temporary, environment }: Place,
  moment: (dataDir: string, output: string) => boolean,
  { signal = 'SIGTERM' as NodeJS.Signals, start = () => spawnCommand(['serve'], environment) } = {},
): Promise<void> {
  const child = start()
  const output = collect(child)
  const ended = once(child, 'exit')
  await waitFor('the moment', () => child.exitCode !== null || moment(dataDir, output()), 60_000)
  assert.equal(child.exitCode, null, output())
  child.kill(signal)
  const [code, killedBy] = (await ended) as [number | null, NodeJS.Signals | null]
  // Before any of our code runs, the signal itself ends the process; while the command is loading, 143 says the same.
  assert.ok(code === 0 || code === 143 || killedBy === signal, `${code} ${killedBy}: ${output()}`)
  // What initdb had started ends when its pipe does, a moment after us.
  await waitFor('the end of what was started', () => serversOf(dataDir).length === 0)
  assert.deepEqual(leftIn(temporary), [])
  assert.ok(!existsSync(join(dataDir, 'signalbox.lock')))
}

/** What Signalbox left: npm keeps a compile cache of its own there. */
function leftIn(temporary: string): string[] {
  return readdirSync(temporary).filter((name) => name !== 'node-compile-cache')
}

/** As a supervisor would start it. */
function npmStart({ environment }: Place): ChildProcess {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...inherited } = process.env
  return spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, ...environment },
  })
}

/** Processes that work in the folder of the database, no matter who started them. */
function serversOf(dataDir: string): string[] {
  if (!existsSync(join(dataDir, 'postgres'))) return []
  const cluster = realpathSync(join(dataDir, 'postgres'))
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && folderOf(name) === cluster)
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

const there = (file: string) => (dataDir: string) => existsSync(join(dataDir, file))
const says = (text: string) => (_dataDir: string, output: string) => output.includes(text)
const moments = {
  begun: () => true,
  locked: there('signalbox.lock'),
  makingFiles: there('postgres.initialising'),
  fillingFiles: there('postgres/base'),
  launching: there('postgres.json'),
  awaitingDatabase: there('postgres/postmaster.pid'),
  migrated: says('the database is up to date'),
  madeKey: says('api_key.created'),
  ready: says('is ready at'),
}
const onLinux = { skip: process.platform === 'linux' ? false : 'processes are looked up in /proc' }

test('SIGTERM at any moment of a first start leaves no process and no temporary file', onLinux, async () => {
  const { begun, locked, makingFiles, launching, awaitingDatabase, migrated } = moments
  for (const moment of [begun, locked, makingFiles, launching, awaitingDatabase, migrated])
    await stopAt(place(), moment)
})

test('a signal that arrives while the server takes over from the command line is not lost', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { endOnSignals, listenForStop } from ${JSON.stringify(join(import.meta.dirname, '../src/cli/signals.ts'))}
       endOnSignals()
       process.kill(process.pid, 'SIGTERM')
       const stop = listenForStop({ info: () => undefined })
       stop.addEventListener('abort', () => process.exit(7))
       setTimeout(() => process.exit(8), 5_000)`,
    ],
    { stdio: 'inherit' },
  )
  const [code] = (await once(child, 'exit')) as [number]
  assert.equal(code, 7)
})

test('a worker that does not stop is ended, and the server stops', onLinux, async () => {
  const given = place()
  useSeed(given.dataDir)
  const server = await spawnProduct({ ...given.environment, WORKERS: '2', SHUTDOWN_TIMEOUT_MS: '100' })
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
  const worker = children.map(Number).find((pid) => isWorker(pid))
  assert.ok(worker)
  process.kill(worker, 'SIGSTOP')
  assert.equal(await server.end('SIGTERM'), 0)
  assert.match(server.output(), /a worker did not stop in time and is ended/)
  assert.deepEqual(serversOf(given.dataDir), [])
})

const isWorker = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js')

test('SIGTERM while workers start leaves nothing either', onLinux, async () => {
  const given = place()
  useSeed(given.dataDir)
  await stopAt({ ...given, environment: { ...given.environment, WORKERS: '2' } }, moments.madeKey)
})

test(
  'after an interrupted start and a kill npm start clears up, and passes a stop signal on',
  onLinux,
  async () => {
    const given = place()
    await stopAt(given, moments.fillingFiles)
    const first = await spawnProduct(given.environment)
    await first.end('SIGKILL')
    assert.notDeepEqual(serversOf(given.dataDir), [])
    await stopAt(given, moments.ready, { start: () => npmStart(given) })
    await stopAt(given, moments.locked)
    await stopAt(given, moments.awaitingDatabase, { signal: 'SIGHUP' })

    // A command that starts the database ends it with itself.
    const command = spawnCommand(['doctor'], given.environment)
    const ended = once(command, 'exit')
    await waitFor('the database', () => moments.awaitingDatabase(given.dataDir), 60_000)
    command.kill('SIGTERM')
    assert.deepEqual(await ended, [143, null])
    await waitFor('the database to end', () => serversOf(given.dataDir).length === 0)
    assert.deepEqual(leftIn(given.temporary), [])
  },
)
