import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import { Secret } from '#kernel/log'
import { commandLine } from '../run/command-line.ts'
import { rememberOwner } from './owner.ts'
import { call, type Answer, type CallOptions } from './product.ts'
import { endBeforeFolder } from './run-folder.ts'
import { useSeed } from './seed.ts'

const ownRoot = join(import.meta.dirname, '../..')

/** As `npm start` does. */
const asStarted = ['--max-semi-space-size=16']
/**
 * A server that may take memory from the beginning: one that saves it spends a third of its start on collecting garbage.
 */
const quick = [...asStarted, '--min-semi-space-size=16', '--single-threaded-gc']

/** `root`: a changed copy of the tree to run. `isFromTree`: not the bundle that a whole run makes of the tree. */
type CommandOptions = SpawnOptions & { root?: string; isFromTree?: boolean }

export interface RunningProcess {
  child: ChildProcess
  pid: number
  url: string
  /** Everything printed so far, standard output and error together. */
  output: () => string
  key: string | undefined
  call(path: string, options?: CallOptions): Promise<Answer>
  /** Ends it by a signal and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * `signalbox serve` as a process of its own, ready to be asked or killed. A new DATA_DIR gets a migrated database,
 * unless the test is about how the server makes one.
 */
export async function spawnProduct(
  environment: Record<string, string>,
  {
    makesDatabase = false,
    flags = [],
    ...options
  }: CommandOptions & { makesDatabase?: boolean; flags?: string[] } = {},
): Promise<RunningProcess> {
  const { DATA_DIR, DATABASE_URL } = environment
  if (DATA_DIR !== undefined && DATABASE_URL === undefined && !makesDatabase) useSeed(DATA_DIR)
  const child = spawnCommand(
    ['serve', ...flags],
    { PORT: '0', ...environment },
    { isFromTree: makesDatabase, ...options },
  )
  const output = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = /is ready at (http\S+)/.exec(output())?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', look)
    child.once('exit', (code) => reject(new Error(`signalbox serve ended with ${code}: ${output()}`)))
  })
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
  after(() => end())
  if (DATA_DIR !== undefined) endBeforeFolder(DATA_DIR, () => end())
  const token = /\/\?token=(\S+)/.exec(output())?.[1]
  rememberOwner(url, { localOwnerToken: token === undefined ? null : new Secret(token) })
  return {
    child,
    pid: child.pid ?? 0,
    url,
    output,
    key: /sb-[A-Za-z0-9_-]{20,}/.exec(output())?.[0],
    call: (path, given) => call(url, path, given),
    end,
  }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command to its end. */
export async function runCommand(
  args: string[],
  environment: Record<string, string> = {},
): Promise<Finished> {
  const child = spawnCommand(args, environment)
  const stdout = collect(child, ['stdout'])
  const stderr = collect(child, ['stderr'])
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

/** Still running; they end with the test file, also when the file is stopped half-way. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})
process.once('SIGTERM', () => process.exit(143))

/** What a command of the product gets of the environment of the tests. */
export function environmentOf(given: Record<string, string>): Record<string, string> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...inherited } = process.env
  const all = Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // Not the sessions of who runs the tests.
  return {
    ...Object.fromEntries(all),
    LOG_FORMAT: 'json',
    DRAIN_DELAY_MS: '0',
    TRANSCRIPTS_DIR: '/nonexistent',
    // No calls of the server's own between those of the tests.
    MODEL_SYNC_HOURS: '0',
    ...given,
  }
}

export function spawnCommand(
  args: string[],
  environment: Record<string, string>,
  { root = ownRoot, isFromTree = false, ...given }: CommandOptions = {},
): ChildProcess {
  const entry = root === ownRoot && !isFromTree ? commandLine() : join(root, 'src/cli/main.js')
  const options = isFromTree ? asStarted : quick
  const child = spawn(process.execPath, [...options, entry, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...given,
    env: environmentOf(environment),
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export function collect(
  child: ChildProcess,
  streams: ('stdout' | 'stderr')[] = ['stdout', 'stderr'],
): () => string {
  let text = ''
  for (const name of streams) child[name]?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}
