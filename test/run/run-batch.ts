import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import type { Counts } from './counts.ts'

export interface Finished extends Counts {
  /** Those of which a test failed, or that did not come to their end. */
  failedFiles: string[]
  /** What the runner reported of it, for a reporter. */
  events: { type: string; data: unknown }[]
}

/**
 * What is run by hand may install things first. Each batch takes two minutes at most where nothing else runs, and was
 * seen to take nine where much did. A file that hangs is noticed sooner (batch.ts), unless its process does nothing.
 */
const limitOf = (files: readonly string[]): number =>
  files.some((file) => file.endsWith('.check.ts')) ? 3_600_000 : 1_200_000
/**
 * Loading the product makes much garbage: a large young generation from the beginning, and one thread that collects
 * it, use less processor time.
 */
const execArgv = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded-gc']
const script = join(import.meta.dirname, 'batch.ts')
/** From the signal that asks a process to end to the one that it cannot refuse. */
const graceMs = 10_000

/** The processes of batches by their last file, which the runner does not hand out. */
const children = new Map<string, ChildProcess>()
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  child.once('spawn', () => {
    const file = child.spawnargs.at(-1)
    if (child.spawnargs.includes(script) && file !== undefined) children.set(file, child)
  })
})

/** Runs the tests of some files in one process. If it hangs it is ended and fails with the limit in its message. */
export async function runBatch(files: readonly string[], signal: AbortSignal): Promise<Finished> {
  const limit = limitOf(files)
  const last = files.at(-1) ?? ''
  const result: Finished = { events: [], passed: 0, failed: 0, failedFiles: [] }
  const passedFiles = new Set<string>()
  AbortSignal.timeout(limit).addEventListener('abort', () => {
    const message = `${files.join(', ')} had not ended after ${limit / 1000} s, so the process was ended.\n`
    result.events.push({ type: 'test:stderr', data: { file: script, message } })
    children.get(last)?.kill('SIGTERM')
  })
  AbortSignal.timeout(limit + graceMs).addEventListener('abort', () => children.get(last)?.kill('SIGKILL'))
  const env = environmentOf(files)
  const options = { files: [script], argv: [...files], concurrency: 1, timeout: limit, signal, execArgv, env }
  for await (const event of run(options)) {
    const { type, data } = event as { type: string; data: Reported }
    // A process that crashed or was ended.
    if (data.name === script) data.name = files.join(', ')
    // The reporter would print the counts of each batch as if they were those of the run.
    if (type === 'test:diagnostic' && data.file === undefined) continue
    if (type !== 'test:summary') result.events.push({ type, data })
    else if (data.file === undefined) {
      result.passed += data.counts.passed
      result.failed += data.counts.tests - data.counts.passed - data.counts.skipped
    }
    // A file is no test of its own, unless it failed before its tests.
    if (type === 'test:pass' && files.includes(data.name)) {
      result.passed--
      passedFiles.add(data.name)
    }
    if (type === 'test:fail' && files.includes(data.name) && hasFailedTests(data)) result.failed--
  }
  children.delete(last)
  result.failedFiles = result.failed === 0 ? [] : files.filter((file) => !passedFiles.has(file))
  return result
}

/** It copies the product into a temporary folder: what is compiled there is of no use to the next run. */
function environmentOf(files: readonly string[]): NodeJS.ProcessEnv {
  const isCopied = files.some((file) => file.includes('test/sample-part/'))
  return isCopied ? { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'compiled') } : process.env
}

function hasFailedTests({ details }: Reported): boolean {
  return details.error?.failureType === 'subtestsFailed'
}

interface Reported {
  file?: string
  name: string
  details: { error?: { failureType?: string } }
  counts: { tests: number; passed: number; skipped: number }
}
