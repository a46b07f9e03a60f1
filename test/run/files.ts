import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { spec } from 'node:test/reporters'
import { browserProgram } from '../harness/browser-program.ts'
import { startTestServer } from '../harness/server.ts'
import type { Counts } from './counts.ts'
import { buildDashboard } from './dashboard.ts'
import { runFile, type Finished } from './file.ts'
import { processorSeconds, readTimes, timesVariable } from './processor-time.ts'

/**
 * Tests also wait, for timers and for other processes, so one file more than there are cores keeps them busy. The
 * connections of the shared database are enough for six.
 */
const atOnce = Math.min(availableParallelism() + 1, 6)

const shownFiles = 20

/** Runs test files, each in a process of its own; the tests of a file are reported when it has ended. */
export async function runFiles(root: string, names: readonly string[]): Promise<Counts> {
  const server = await startTestServer()
  // Every file loads most of the product: what one has compiled the others need not.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'compiled')
  const times = (process.env[timesVariable] ??= join(tmpdir(), 'processor-times'))
  // Once, before several files want them at the same time.
  if (names.some((name) => name.includes('browser/'))) {
    await browserProgram()
    await buildDashboard(root)
  }
  const stopping = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => stopping.abort(new Error(name)))

  const report = new PassThrough({ objectMode: true })
  const printed = report.compose(spec())
  printed.pipe(process.stdout, { end: false })
  const finished: Finished[] = []
  const waiting = [...names]
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (stopping.signal.aborted) return
      const done = await runFile(join(root, name), stopping.signal)
      finished.push({ ...done, name })
      for (const event of done.events) report.write(event)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const ended = new Promise((resolve) => printed.once('end', resolve))
  report.end()
  await ended
  const processorTimes = readTimes(times)
  await server.stop()
  const counts = summarise(finished, stopping.signal)
  if (finished.length > shownFiles)
    showDearest(finished.map((each) => ({ ...each, used: processorTimes.get(join(root, each.name)) ?? 0 })))
  return counts
}

function summarise(finished: readonly Finished[], { aborted, reason }: AbortSignal): Counts {
  const passed = finished.reduce((sum, each) => sum + each.passed, 0)
  const failed = finished.reduce((sum, each) => sum + each.failed, 0)
  if (aborted) console.log(`\nStopped by ${(reason as Error).message} after ${finished.length} files.`)
  else if (passed + failed === 0) throw new Error('No test was found')
  return { passed, failed: failed + (aborted ? 1 : 0) }
}

/** Where a run that has become too long can be made shorter. */
function showDearest(files: readonly { name: string; seconds: number; used: number }[]): void {
  console.log(`\nProcessor time: ${(processorSeconds() / 60).toFixed(1)} minutes. The dearest files:`)
  console.log('processor   taken')
  for (const { name, seconds, used } of files.toSorted((a, b) => b.used - a.used).slice(0, shownFiles))
    console.log(`${used.toFixed(1).padStart(7)} s ${seconds.toFixed(1).padStart(5)} s  ${name}`)
}
