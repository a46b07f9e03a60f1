import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { commandLine } from '../../test/run/command-line.ts'

/** Signalbox as `npm start` runs it, from this checkout or another. */
export const serveFrom = (checkout?: string): string[] => [
  '--max-semi-space-size=16',
  checkout === undefined ? commandLine() : entryIn(checkout),
  'serve',
]

/** It was TypeScript in earlier versions. */
function entryIn(checkout: string): string {
  const entry = join(checkout, 'src/cli/main.js')
  return existsSync(entry) ? entry : join(checkout, 'src/cli/main.ts')
}

export interface Started {
  pid: number
  /** Everything printed until it was ready. */
  output: string
  stop(): Promise<void>
}

export interface StartOptions {
  args: string[]
  environment?: Record<string, string | undefined>
  folder?: string
  /** What it prints once it can be asked. */
  ready: RegExp
}

const startLimitMs = 60_000
const stopLimitMs = 10_000

/** Starts Node with a script and waits for its sign that it is ready. */
export async function start({ args, environment = {}, folder, ready }: StartOptions): Promise<Started> {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not the sessions of who runs this.
    env: { PATH, HOME, TMPDIR, TRANSCRIPTS_DIR: '/nonexistent', ...environment },
    ...(folder !== undefined && { cwd: folder }),
  })
  let output = ''
  const isReady = new Promise<void>((resolve, reject) => {
    const read = (piece: Buffer): void => {
      output += piece.toString()
      if (ready.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`)))
    setTimeout(
      () => reject(new Error(`${args.join(' ')} was not ready in time: ${output}`)),
      startLimitMs,
    ).unref()
  })
  try {
    await isReady
  } catch (error) {
    await stop(child)
    throw error
  }
  // What comes later is read, so that the pipe never fills, and forgotten.
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume()
  return { pid: child.pid ?? 0, output, stop: () => stop(child) }
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([ended, wait(stopLimitMs, undefined, { ref: false })])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}

/** How long the kernel counts as one unit of processor time, in microseconds; the same on every Linux. */
const tick = 10_000

/** Processor time of a process so far, user and system, all its threads; undefined where the kernel does not report it. */
export function processorMicroseconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in parentheses and may hold anything; the numbers follow it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

export function residentMegabytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
