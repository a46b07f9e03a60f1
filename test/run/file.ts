import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { run } from 'node:test'
import type { Counts } from './counts.ts'

export interface Finished extends Counts {
  name: string
  seconds: number
  /** What the runner reported of it, for a reporter. */
  events: { type: string; data: unknown }[]
}

/** What is run by hand may install things first. The others take a minute at most where nothing else runs. */
const limitOf = (file: string): number => (file.endsWith('.check.ts') ? 3_600_000 : 600_000)
/**
 * Loading the product makes much garbage: a large young generation from the beginning, and one thread that collects
 * it, use less processor time.
 */
const execArgv = [
  ...['--min-semi-space-size=32', '--max-semi-space-size=32', '--single-threaded-gc'],
  ...['--import', import.meta.resolve('./preload.ts')],
]
/** From the signal that asks a file to end to the one that it cannot refuse. */
const graceMs = 10_000

/** The processes of test files, which the runner does not hand out. */
const children = new Map<string, ChildProcess>()
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  child.once('spawn', () => {
    const file = child.spawnargs.at(-1)
    if (file?.endsWith('.ts')) children.set(file, child)
  })
})

/** Runs the tests of one file. A file that hangs is ended and fails with the limit in its message. */
export async function runFile(file: string, signal: AbortSignal): Promise<Finished> {
  const limit = limitOf(file)
  const started = performance.now()
  const result: Finished = { name: file, seconds: 0, events: [], passed: 0, failed: 0 }
  AbortSignal.timeout(limit).addEventListener('abort', () => {
    const message = `${file} had not ended after ${limit / 1000} s, so it was ended.\n`
    result.events.push({ type: 'test:stderr', data: { file, message } })
    children.get(file)?.kill('SIGTERM')
  })
  AbortSignal.timeout(limit + graceMs).addEventListener('abort', () => children.get(file)?.kill('SIGKILL'))
  for await (const event of run({ files: [file], concurrency: 1, timeout: limit, signal, execArgv })) {
    const { type, data } = event as { type: string; data: Summary }
    // The reporter would print the counts of each file as if they were those of the run.
    if (type === 'test:diagnostic' && data.file === undefined) continue
    if (type !== 'test:summary') result.events.push({ type, data })
    else if (data.file === undefined) {
      result.passed = data.counts.passed
      result.failed = data.counts.tests - data.counts.passed - data.counts.skipped
    }
  }
  children.delete(file)
  result.seconds = (performance.now() - started) / 1000
  return result
}

interface Summary {
  file?: string
  counts: { tests: number; passed: number; skipped: number }
}
